/** The Python module `plot`, which records figures; the parent, which does not trust them, draws them. */
export const plotModule = `
"""Simple figures: line, scatter, bar and hist. Each call makes one figure."""

MAX_FIGURES = 4
MAX_POINTS = 400
MAX_BARS = 100
MAX_TEXT = 200
MAX_NUMBER = 1e300

_figures = []


class Figure:
    def __init__(self, number, title):
        self.number, self.title = number, title

    def __repr__(self):
        return f'<figure {self.number}: {self.title}>' if self.title else f'<figure {self.number}>'


def line(xs, ys=None, *, title='', x_label='', y_label=''):
    """Points joined in their order; line(ys) counts xs from 0."""
    return _points('line', xs, ys, title, x_label, y_label)


def scatter(xs, ys=None, *, title='', x_label='', y_label=''):
    """Points alone."""
    return _points('scatter', xs, ys, title, x_label, y_label)


def bar(labels, heights=None, *, title='', x_label='', y_label=''):
    """One bar a label; bar({label: height}) does as well."""
    if heights is None and hasattr(labels, 'items'):
        labels, heights = list(labels.keys()), list(labels.values())
    if heights is None:
        heights = list(labels)
        labels = range(len(heights))
    names, heights = [str(label)[:MAX_TEXT] for label in labels], _numbers(heights)
    _same_length(names, heights)
    if len(heights) > MAX_BARS:
        raise ValueError(f'bar draws at most {MAX_BARS} bars, not {len(heights)}')
    return _record('bar', title, x_label, y_label, labels=names, ys=heights)


def hist(values, bins=10, *, title='', x_label='', y_label='count'):
    """How many values fall into each of equally wide bins."""
    values = _numbers(values)
    bins = int(bins)
    if not 1 <= bins <= MAX_BARS:
        raise ValueError(f'hist takes 1 to {MAX_BARS} bins, not {bins}')
    low, high = min(values), max(values)
    if low == high:
        low, high = low - 0.5, high + 0.5
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / (high - low) * bins))] += 1
    edges = [low + (high - low) * index / bins for index in range(bins + 1)]
    return _record('hist', title, x_label, y_label, xs=edges, ys=counts)


def recorded():
    return _figures


def _points(kind, xs, ys, title, x_label, y_label):
    if ys is None:
        ys = _numbers(xs)
        xs = list(range(len(ys)))
    xs, ys = _numbers(xs), _numbers(ys)
    _same_length(xs, ys)
    step = -(-len(xs) // MAX_POINTS)
    return _record(kind, title, x_label, y_label, xs=xs[::step], ys=ys[::step])


def _record(kind, title, x_label, y_label, **data):
    if len(_figures) >= MAX_FIGURES:
        raise ValueError(f'a run makes at most {MAX_FIGURES} figures')
    texts = {'title': title, 'xLabel': x_label, 'yLabel': y_label}
    texts = {name: str(text)[:MAX_TEXT] for name, text in texts.items()}
    _figures.append({'kind': kind, **texts, **data})
    return Figure(len(_figures), texts['title'])


def _numbers(values):
    numbers = []
    for value in values:
        number = float(value)
        if not abs(number) <= MAX_NUMBER:
            raise ValueError(f'{value!r} cannot be drawn')
        numbers.append(number)
    if not numbers:
        raise ValueError('there is nothing to draw')
    return numbers


def _same_length(xs, ys):
    if len(xs) != len(ys):
        raise ValueError(f'{len(xs)} values on one axis and {len(ys)} on the other')
`
