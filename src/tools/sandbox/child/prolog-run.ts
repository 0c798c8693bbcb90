/**
 * The Prolog module that runs the code term by term: directives and goals are called, rules and ground facts added. The
 * value is what `return/2` was given, or else the solutions of the last goal.
 */
export const prologRun = String.raw`
:- module(sandbox_run, [sandbox_run/4]).
:- use_module(library(json)).
:- use_module(library(lists)).
:- user:use_module(library(clpfd)).
:- dynamic returned/2.

max_solutions(100).
max_depth(50).

%   sandbox_run(+Code, +InputJson, -ValueJson, -ErrorJson)
sandbox_run(Code, InputJson, ValueJson, ErrorJson) :-
    set_random(seed(0)),
    retractall(returned(_, _)),
    close_bridge,
    give_input(InputJson),
    catch(( run_text(Code, Solutions), Error = null ), Raised, ( Solutions = [], described(Raised, Error) )),
    flush_output(user_output),
    outcome(Error, Solutions, Value, Told),
    json_text(Value, ValueJson),
    json_text(Told, ErrorJson).

outcome(Error, Solutions, json(Pairs), Told) :-
    returned_pairs(Pairs), !,
    ( Error == null, Solutions == [] -> described(goal_failed, Told) ; Told = Error ).
outcome(null, Solutions, Solutions, null) :- !.
outcome(Error, _, null, Error).

%   What leads to JavaScript is no longer there.
close_bridge :-
    forall(member(Head, ['$js_call'(_, _), js_run_script(_)]),
           ( catch(( redefine_system_predicate(system:Head),
                     assertz((system:Head :- throw(error(permission_error(call, javascript, Head), _)))) ),
                   _, true) )).

returned_pairs(Pairs) :-
    findall(Key-Value, returned(Key, Value), All),
    All = [_|_],
    last_ones(All, Pairs).

%   The last value of each key, in the order of their first.
last_ones([], []).
last_ones([Key-First|Rest], [Name=Json|Pairs]) :-
    without(Rest, Key, First, Value, Others),
    key_text(Key, Name),
    to_json(Value, 0, Json),
    last_ones(Others, Pairs).

without([], _, Value, Value, []).
without([Key-Value|Rest], Name, Before, Last, Others) :-
    (   Key == Name
    ->  without(Rest, Name, Value, Last, Others)
    ;   Others = [Key-Value|More],
        without(Rest, Name, Before, Last, More)
    ).

give_input(Text) :-
    atom_json_dict(Text, Json, [null(null), true(true), false(false)]),
    with_atoms(Json, Input),
    dict_pairs(Input, _, Pairs),
    forall(member(Name-Value, Pairs), give(Name, Value)).

%   A text is an atom wherever it stands, so that it unifies with the names in rules.
with_atoms(Text, Atom) :- string(Text), !, atom_string(Atom, Text).
with_atoms(List, Atoms) :- is_list(List), !, maplist(with_atoms, List, Atoms).
with_atoms(Dict, Made) :- is_dict(Dict), !, mapdict([_, Value, Atom]>>with_atoms(Value, Atom), Dict, Made).
with_atoms(Value, Value).

%   An object is facts of its members, anything else one fact.
give(Name, _) :-
    \+ is_name(Name), !.
give(Name, Value) :-
    is_dict(Value), !,
    dynamic(user:Name/2),
    dict_pairs(Value, _, Pairs),
    forall(member(Key-Member, Pairs), assertz_fact(Name, [Key, Member])).
give(Name, Value) :-
    dynamic(user:Name/1),
    assertz_fact(Name, [Value]).

assertz_fact(Name, Arguments) :-
    Fact =.. [Name|Arguments],
    assertz(user:Fact).

is_name(Name) :-
    atom(Name),
    atom_codes(Name, [First|Codes]),
    code_type(First, lower),
    First < 128,
    forall(member(Code, Codes), ( Code < 128, code_type(Code, csym) )),
    forall(member(Arity, [1, 2]),
           ( functor(Head, Name, Arity), \+ predicate_property(system:Head, defined) )).

user:return(Key, Value) :-
    assertz(sandbox_run:returned(Key, Value)).

user:tea_load_code(Text) :-
    sandbox_run:run_text(Text, _).

run_text(Text, Solutions) :-
    text_to_string(Text, String),
    open_string(String, Stream),
    read_next(Stream, Next),
    run_terms(Next, String-Stream, [json([])], Solutions).

read_next(Stream, next(Term, Names, Line)) :-
    read_term(Stream, Term, [module(user), variable_names(Names), term_position(Position), syntax_errors(error)]),
    stream_position_data(line_count, Position, Line).

run_terms(next(Term, _, _), _, Solutions, Solutions) :-
    Term == end_of_file, !.
run_terms(next(Term, _, _), String-Stream, _, Solutions) :-
    is_open_clause(Term),
    \+ is_at_end(String, Stream), !,
    assertz(user:Term),
    read_next(Stream, Next),
    run_terms(Next, String-Stream, [json([])], Solutions).
run_terms(next(Term, Names, Line), String-Stream, _, Solutions) :-
    catch(run_term(Term, Names, Rest, Now), Raised, throw(at_line(Line, Raised))),
    read_next(Stream, Next),
    ( Now == false, \+ Next = next(end_of_file, _, _) -> throw(at_line(Line, goal_failed)) ; true ),
    ( Now == false -> Found = [] ; Found = Rest ),
    run_terms(Next, String-Stream, Found, Solutions).

%   same(X, X). is a clause where more follows: as a goal it would be asked for nothing.
is_open_clause(Term) :-
    compound(Term), \+ ground(Term), is_own(Term).

is_at_end(String, Stream) :-
    character_count(Stream, Read),
    sub_string(String, Read, _, 0, Rest),
    split_string(Rest, "\n", " \t\r", Lines),
    forall(member(Line, Lines), ( Line == "" ; sub_string(Line, 0, 1, _, "%") )).

run_term(Term, _, [json([])], true) :-
    nonvar(Term), Term = (:- Goal), !,
    ( expand_goal(user:Goal, Expanded), call(Expanded) -> true ; throw(goal_failed) ).
run_term((?- Goal), Names, Found, Now) :- !,
    run_goal(Goal, Names, Found, Now).
run_term(Term, _, [json([])], true) :-
    nonvar(Term), ( Term = (_ :- _) ; Term = (_ --> _) ), !,
    expand_term(Term, Clauses),
    add_clauses(Clauses).
run_term(Term, _, [json([])], true) :-
    is_fact(Term), !,
    assertz(user:Term).
run_term(Goal, Names, Found, Now) :-
    run_goal(Goal, Names, Found, Now).

add_clauses(Clauses) :-
    is_list(Clauses), !,
    forall(member(Clause, Clauses), assertz(user:Clause)).
add_clauses(Clause) :-
    assertz(user:Clause).

is_fact(Term) :-
    compound(Term), ground(Term), is_own(Term).

%   Of a predicate that neither the language nor this module has.
is_own(Term) :-
    \+ Term = (:- _), \+ Term = (?- _), \+ Term = (_ :- _), \+ Term = (_ --> _),
    \+ Term = return(_, _), \+ Term = tea_load_code(_), \+ Term = state(_, _),
    \+ predicate_property(user:Term, imported_from(_)),
    \+ predicate_property(system:Term, defined),
    \+ ( \+ predicate_property(user:Term, dynamic), predicate_property(user:Term, autoload(_)) ).

%   The first solution, and with named variables and no word of return/2 the others.
run_goal(Goal0, Names, Found, Now) :-
    named(Names, Named),
    expand_goal(user:Goal0, Goal),
    nb_setval(sandbox_solutions, []),
    nb_setval(sandbox_count, 0),
    max_solutions(Most),
    (   call(Goal),
        bindings(Named, Solution),
        nb_getval(sandbox_solutions, Before),
        nb_setval(sandbox_solutions, [Solution|Before]),
        nb_getval(sandbox_count, Count0),
        Count is Count0 + 1,
        nb_setval(sandbox_count, Count),
        ( Named == [] ; returned(_, _) ; Count >= Most ), !
    ;   true
    ),
    nb_getval(sandbox_solutions, Reversed),
    reverse(Reversed, Found),
    ( Found == [] -> Now = false ; Now = true ).

named([], []).
named([Name=Value|Rest], Named) :-
    ( sub_atom(Name, 0, 1, _, '_') -> Named = More ; Named = [Name-Value|More] ),
    named(Rest, More).

%   A variable that is still free is not told of.
bindings(Named, json(Pairs)) :-
    bound(Named, Bound),
    members_json(Bound, 0, Pairs).

bound([], []).
bound([Name-Value|Rest], Bound) :-
    ( var(Value) -> Bound = More ; Bound = [Name-Value|More] ),
    bound(Rest, More).

members_json([], _, []).
members_json([Key-Value|Rest], Depth, [Name=Json|Pairs]) :-
    key_text(Key, Name),
    to_json(Value, Depth, Json),
    members_json(Rest, Depth, Pairs).

items_json([], _, []).
items_json([Item|Rest], Depth, [Json|Jsons]) :-
    to_json(Item, Depth, Json),
    items_json(Rest, Depth, Jsons).

to_json(Value, _, Json) :- var(Value), !, Json = null.
to_json(Value, _, Json) :- integer(Value), !,
    ( abs(Value) < 9007199254740992 -> Json = Value ; term_string(Value, Json) ).
to_json(Value, _, Json) :- float(Value), !,
    ( catch(( Value - Value =:= 0 ), _, fail) -> Json = Value ; term_string(Value, Json) ).
to_json([], _, []) :- !.
to_json(Value, _, Value) :- ( atom(Value) ; string(Value) ), !.
to_json(Value, Depth, Json) :- max_depth(Most), Depth >= Most, !, term_string(Value, Json).
to_json(Value, Depth, Json) :- is_list(Value), !,
    Deeper is Depth + 1,
    items_json(Value, Deeper, Json).
to_json(Value, Depth, json(Pairs)) :- is_dict(Value), !,
    Deeper is Depth + 1,
    dict_pairs(Value, _, Members),
    members_json(Members, Deeper, Pairs).
to_json(Value, _, Json) :-
    with_output_to(string(Json), print_term_briefly(Value)).

print_term_briefly(Value) :-
    write_term(Value, [quoted(true), max_depth(100), numbervars(true)]).

key_text(Key, Name) :-
    ( atomic(Key) -> atom_string(Name, Key) ; term_to_atom(Key, Name) ).

json_text(Value, Text) :-
    with_output_to(atom(Text), json_write(current_output, Value, [width(0), null(null), true(true), false(false)])).

described(at_line(Line, Raised), Error) :- !,
    described(Raised, Line, Error).
described(Raised, Error) :-
    described(Raised, null, Error).

described(at_line(_, Raised), Line, Error) :- !,
    described(Raised, Line, Error).
described(goal_failed, Line, json([type='GoalFailed', message='The goal is false.', line=Line, traceback=''])) :- !.
described(error(syntax_error(What), Where), Line0, json([type='SyntaxError', message=Message, line=Line, traceback=''])) :- !,
    ( syntax_line(Where, Line) -> true ; Line = Line0 ),
    message_text(error(syntax_error(What), _), Message).
described(error(resource_error(What), _), Line, json([type='MemoryError', message=Message, line=Line, traceback=''])) :- !,
    message_text(error(resource_error(What), _), Message).
described(Raised, Line, json([type=Type, message=Message, line=Line, traceback=''])) :-
    Raised = error(Formal, _), nonvar(Formal), !,
    functor(Formal, Type, _),
    ( Formal = existence_error(procedure, _) -> Told = error(Formal, _) ; Told = Raised ),
    message_text(Told, Message).
described(Raised, Line, json([type=exception, message=Message, line=Line, traceback=''])) :-
    term_string(Raised, Message).

syntax_line(Where, Line) :-
    nonvar(Where),
    ( Where = stream(_, Line, _, _) ; Where = string(_, _), fail ; Where = file(_, Line, _, _) ), !.

message_text(Raised, Message) :-
    catch(( '$messages':translate_message(Raised, Lines, []),
            with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
            split_string(Text, "", " \n", [Message]) ),
          _,
          term_string(Raised, Message)).
`
