import { lemma } from './lemma.ts'
import type { Word } from './words.ts'

/**
 * Classes of mutually exclusive things. Within a class, members are separated by "|", a member's names by spaces, a name's
 * words by "_". A thing that contains another (an organ and its part) belongs to another class.
 */
const elements =
  'calcium ca2 | sodium | potassium | magnesium | iron ferrous ferric | zinc | copper | selenium | iodine iodide | chromium | ' +
  'manganese | cobalt | nickel | aluminum aluminium | lithium | barium | strontium | cadmium | mercury | arsenic | silver | gold | ' +
  'platinum | tin | titanium | tungsten | uranium | plutonium | radium | radon | helium | neon | argon | hydrogen | oxygen | ' +
  'nitrogen | carbon | silicon | phosphorus phosphate | sulfur | chlorine chloride | fluorine fluoride | bromine'
const vitamins =
  'vitamin_a retinol | vitamin_b6 pyridoxine | vitamin_b12 cobalamin | vitamin_c ascorbate ascorbic_acid | vitamin_d ' +
  'cholecalciferol calcitriol | vitamin_e tocopherol | vitamin_k | folate folic_acid | thiamine thiamin | riboflavin | niacin ' +
  'nicotinamide | biotin | carotene beta_carotene'
const bodySubstances =
  'growth_hormone | parathyroid_hormone | calcitonin | somatostatin | gastrin | angiotensin | bradykinin | thrombin | lipase | ' +
  'amylase | pepsin | trypsin | insulin | glucagon | cortisol | estrogen oestrogen estradiol | progesterone | testosterone androgen | thyroxine | ' +
  'oxytocin | vasopressin | prolactin | leptin | adiponectin | ghrelin | melatonin | aldosterone | renin | epinephrine adrenaline | ' +
  'norepinephrine noradrenaline | erythropoietin | dopamine | serotonin | glutamate | gaba | acetylcholine | histamine | glycine | ' +
  'adenosine | glucose | fructose | sucrose | lactose | lactate | pyruvate | galactose | glycogen | cholesterol | ' +
  'triglyceride triacylglycerol | albumin | hemoglobin | creatinine | creatine | urea | bilirubin | ferritin | fibrinogen | ' +
  'collagen | keratin | elastin | actin | myosin | tubulin | tyrosine | tryptophan | leucine | lysine | arginine | cysteine | ' +
  'methionine | serine | threonine | histidine | alanine | proline | homocysteine | ethanol alcohol | methanol | nicotine | ' +
  'caffeine | cannabis marijuana'
const drugs =
  'aspirin acetylsalicylic_acid | ibuprofen | naproxen | diclofenac | celecoxib | acetaminophen paracetamol | warfarin | heparin | ' +
  'clopidogrel | metformin | glibenclamide glyburide | glipizide | morphine | fentanyl | methadone | codeine | oxycodone | ' +
  'tramadol | ketamine | propofol | haloperidol | clozapine | olanzapine | risperidone | quetiapine | citalopram | sertraline | ' +
  'valproate | carbamazepine | phenytoin | lamotrigine | digoxin | amiodarone | verapamil | nitroglycerin | hydralazine | ' +
  'spironolactone | mannitol | dexamethasone | prednisone | prednisolone | hydrocortisone | methylprednisolone | ' +
  'methotrexate | cyclophosphamide | azathioprine | cyclosporine ciclosporin | tacrolimus | rapamycin sirolimus | tamoxifen | ' +
  'letrozole | anastrozole | cisplatin | carboplatin | oxaliplatin | paclitaxel | docetaxel | doxorubicin | ' +
  'vincristine | etoposide | gemcitabine | fluorouracil | capecitabine | bortezomib | lenalidomide | thalidomide | penicillin | ' +
  'amoxicillin | vancomycin | ciprofloxacin | doxycycline | isoniazid | rifampicin rifampin | chloroquine | ' +
  'hydroxychloroquine | quinine | artemisinin | ivermectin | albendazole | acyclovir | oseltamivir | ribavirin | ' +
  'zidovudine | allopurinol | colchicine | levodopa | memantine | donepezil | salbutamol albuterol | ' +
  'theophylline | atropine | neostigmine | lidocaine | bupivacaine | cocaine | heroin | buprenorphine | naloxone | clomiphene ' +
  'clomifene | minoxidil | sildenafil | streptozotocin | placebo'
const organs =
  'liver hepatic | kidney renal | lung pulmonary | heart cardiac | stomach gastric | pancreas pancreatic | ' +
  'spleen splenic | bladder | colon colonic | rectum rectal | ovary ovarian | uterus uterine | prostate prostatic | breast ' +
  'mammary | skin cutaneous | bone | muscle | thyroid | thymus thymic | retina retinal | esophagus esophageal ' +
  'oesophageal | gallbladder biliary | testis testicular | cervix cervical | adrenal | pituitary | tongue | larynx laryngeal | ' +
  'placenta placental | tonsil | appendix | cornea corneal | cochlea cochlear | tooth dental | aorta aortic | ' +
  'lymph_node | intestine intestinal bowel gut | eye ocular'
const brainRegions =
  'hippocampus hippocampal | amygdala | cerebellum cerebellar | hypothalamus hypothalamic | thalamus thalamic | striatum striatal | ' +
  'neocortex | brainstem | medulla'
const cells =
  'neuron neuronal | astrocyte | microglia | oligodendrocyte | macrophage | monocyte | neutrophil | eosinophil | basophil | ' +
  'mast_cell | t_cell | b_cell | nk_cell natural_killer_cell | dendritic_cell | fibroblast | adipocyte | hepatocyte | ' +
  'keratinocyte | melanocyte | platelet thrombocyte | erythrocyte red_blood_cell red_cell | endothelial_cell | epithelial_cell | ' +
  'osteoblast | osteoclast | osteocyte | chondrocyte | myocyte cardiomyocyte myoblast | podocyte | ' +
  'germ_cell | sperm spermatozoon | oocyte egg ovum | goblet_cell | plasma_cell'
/** Diseases by their general names. */
const diseaseKinds =
  'cancer cancerous carcinoma malignancy | cardiovascular_disease heart_disease coronary_disease | diabetes diabetic | arthritis | ' +
  'asthma | copd | dementia alzheimer | parkinson | hiv aids | malaria | tuberculosis | hepatitis | influenza | obesity obese | ' +
  'depression | anxiety | schizophrenia | autism | epilepsy | osteoporosis | psoriasis | sepsis | pneumonia | anemia | migraine | ' +
  'glaucoma | kidney_disease renal_disease | liver_disease hepatic_disease | lung_disease pulmonary_disease'
const bloodCells =
  'lymphocyte | monocyte | neutrophil | eosinophil | basophil | erythrocyte | platelet'
const cancers =
  'leukemia leukaemia | lymphoma | myeloma | melanoma | glioma glioblastoma astrocytoma | neuroblastoma | retinoblastoma | ' +
  'mesothelioma | osteosarcoma | liposarcoma | hepatoma hepatocellular_carcinoma liver_cancer | lung_cancer | breast_cancer | ' +
  'prostate_cancer | colorectal_cancer colon_cancer rectal_cancer | gastric_cancer stomach_cancer | pancreatic_cancer | ' +
  'ovarian_cancer | cervical_cancer | endometrial_cancer uterine_cancer | bladder_cancer | renal_cancer kidney_cancer | ' +
  'thyroid_cancer | esophageal_cancer | testicular_cancer | brain_cancer | bone_cancer | oral_cancer'
const diseases =
  'diabetes diabetic | hypertension hypertensive | asthma asthmatic | stroke | heart_failure | atherosclerosis | ' +
  'osteoporosis | osteoarthritis | rheumatoid_arthritis | gout | psoriasis | eczema | lupus | multiple_sclerosis | epilepsy | ' +
  'migraine | dementia alzheimer | parkinson | huntington | schizophrenia | autism | ' +
  'depression | anxiety | anorexia | bulimia | obesity obese | anemia | hemophilia | thalassemia | ' +
  'malaria | tuberculosis tb | hiv aids | influenza flu | measles | mumps | rubella | polio poliomyelitis | smallpox | chickenpox ' +
  'varicella | cholera | typhoid | dengue | ebola | zika | rabies | tetanus | diphtheria | pertussis | leprosy | plague | anthrax | ' +
  'syphilis | gonorrhea | chlamydia | herpes | shingles | pneumonia | bronchitis | bronchiolitis | copd | sepsis | hepatitis | cirrhosis | ' +
  'pancreatitis | gastritis | colitis | appendicitis | meningitis | encephalitis | nephritis | glaucoma | ' +
  'cataract | scurvy | rickets | endometriosis | preeclampsia | covid-19 covid coronavirus'
const animals =
  'human humans | mouse murine | rat | monkey macaque | rabbit | dog canine | cat feline | pig porcine swine | sheep ovine | cow bovine ' +
  'cattle | horse equine | goat | chicken | duck | turkey | zebrafish | xenopus frog | drosophila fly | yeast | nematode worm ' +
  'elegans | ferret | hamster | elephant | whale | dolphin | bear | wolf | fox | lion | tiger | deer | bat | squirrel | ant | bee | mosquito | spider | ' +
  'salmon | trout | shark | snake | lizard | turtle | crocodile'

const classes: readonly string[] = [
  [elements, vitamins, bodySubstances, drugs].join(' | '),
  `${organs} | brain cerebral`,
  `${organs} | ${brainRegions}`,
  'small_intestine | large_intestine colon | stomach',
  cells,
  bloodCells,
  `${cancers} | ${diseases}`,
  animals,
  diseaseKinds,
  'lymphocyte | neuron | astrocyte | macrophage | fibroblast | hepatocyte | adipocyte | keratinocyte | endothelial_cell | epithelial_cell',
  'leukocyte white_blood_cell | erythrocyte red_blood_cell | platelet thrombocyte',
  'human patient people person participant volunteer woman man child adult infant | animal mouse murine rat rabbit dog cat pig ' +
    'sheep cow horse monkey macaque rodent zebrafish drosophila yeast',
  'mammal | bird | reptile | amphibian | fish | insect | plant | bacterium | fungus',
  'child children pediatric paediatric childhood infant infancy neonate neonatal newborn baby toddler adolescent adolescence ' +
    'teenager juvenile preschooler | adult adulthood elderly geriatric older_people older_adult older_person senior',
  'infant infancy neonate neonatal newborn baby toddler | adolescent adolescence teenager preschooler | elderly geriatric ' +
    'older_people older_adult middle-aged',
  'patient inpatient outpatient | physician doctor clinician surgeon | student pupil',
  'patient inpatient outpatient | nurse | pharmacist | caregiver | volunteer',
  'physician doctor | nurse | pharmacist | dentist | midwife | physiotherapist',
  'student pupil | teacher professor lecturer',
  'vitro | vivo | silico',
  'prospective prospectively | retrospective retrospectively',
  'cohort | case-control | cross-sectional',
  'oral orally | intravenous intravenously | subcutaneous subcutaneously | intramuscular intramuscularly | topical topically | ' +
    'intranasal intranasally | intraperitoneal intraperitoneally | inhaled',
  'plasma | serum | urine urinary | saliva salivary | cerebrospinal_fluid csf | sweat | milk',
  'dna | rna | mrna | microrna mirna | protein',
  'virus viral | bacterium bacterial | fungus fungal | parasite parasitic',
  'carbon_dioxide co2 | carbon_monoxide | methane | ozone | nitrous_oxide | nitric_oxide | water_vapor',
  'artery arterial | vein venous | capillary',
  'knee | hip | shoulder | elbow | wrist | ankle',
  'arm | leg',
  'hand | foot',
  'femur femoral | tibia tibial | humerus | radius | fibula',
  'hearing auditory | vision visual | smell olfactory | taste gustatory | touch tactile',
  'physics | chemistry | biology | mathematics | medicine | law | economics | philosophy | psychology | theology | geology | sociology',
  'carbohydrate | fat | fiber fibre | protein',
  'red | orange | yellow | green | blue | purple violet | brown | black | white | grey gray | pink',
  'spring | summer | autumn | winter',
  'football soccer | basketball | baseball | tennis | cricket | rugby | hockey | golf | swimming | boxing | volleyball | badminton',
  'piano pianist | guitar guitarist | violin violinist | cello cellist | drum drummer | flute | trumpet | saxophone | organ | bass | harp',
  'actor actress | singer vocalist | painter | sculptor | architect | poet | novelist | journalist | lawyer attorney | physicist | ' +
    'chemist | biologist | mathematician | economist | footballer | cricketer | boxer | dancer | chef',
  'novel | poem | film movie | album | song | opera | play | painting | sculpture',
  'river | lake | mountain | island | desert | forest',
  'city | village | county | province',
  'army | navy | airforce',
  'bridge | tunnel | airport | harbor',
  'wheat | rice | maize corn | barley | soybean | potato | cotton | sugarcane',
  'coal | oil petroleum | gas | wind | solar | nuclear',
  'flood | drought | earthquake | hurricane | wildfire | tornado',
  'temperature | precipitation rainfall | humidity',
  'protestant | catholic',
]

/** Endings of the international names of drugs of one kind. */
const drugEnd =
  /^\p{L}{3,}(?:mab|vastatin|pril|sartan|olol|prazole|conazole|cillin|mycin|floxacin|tinib|gliptin|gliflozin|glitazone|dipine|triptan|setron|oxetine|azepam|azolam|parin|xaban|gatran|platin|taxel|rubicin|dronate|thiazide|semide|lukast|fibrate|navir|buvir|tegravir)$/u
/** Endings of names of diseases and cells, and names too general to exclude others. */
const diseaseEnd = /^\p{L}{3,}(?:itis|oma)$/u
const cellEnd = /^\p{L}{3,}(?:cyte|blast|clast)$/u
const general: ReadonlySet<string> = new Set(
  [
    'arthritis',
    'carcinoma',
    'sarcoma',
    'adenocarcinoma',
    'adenoma',
    'stoma',
    'stroma',
    'genoma',
    'diploma',
    'aroma',
    'coma',
    'trauma',
  ]
    .concat([
      'leukocyte',
      'lymphocyte',
      'granulocyte',
      'phagocyte',
      'thymocyte',
      'splenocyte',
      'blastocyte',
    ])
    .map(lemma),
)
const substanceClass = 0
const organClass = 1
const diseaseClass = 6
const cellClass = 4

/** Words for people that say nothing about who they are. */
const anyPeople: ReadonlySet<string> = new Set(
  'patient participant subject individual people person case respondent volunteer population group'
    .split(' ')
    .map(lemma),
)
/** Classes of people that narrow such a word down. */
const peopleWords: ReadonlySet<string> = new Set(
  (
    'adult child pediatric infant neonate newborn baby toddler adolescent teenager elderly woman man girl boy mother father male female ' +
    'student pupil teacher physician nurse worker veteran soldier athlete prisoner smoker immigrant'
  )
    .split(' ')
    .map(lemma),
)

/** A member of some classes, by the words of its name. */
interface Name {
  readonly rest: readonly string[]
  readonly members: readonly string[]
}

const namesByFirstWord = parseNames()

function parseNames(): ReadonlyMap<string, readonly Name[]> {
  const members = new Map<string, string[]>()
  for (const [index, line] of classes.entries()) {
    for (const [member, names] of line.split(' | ').entries()) {
      for (const name of names.split(' '))
        members.set(name, [...(members.get(name) ?? []), `${index}:${member}`])
    }
  }
  const byFirst = new Map<string, Name[]>()
  for (const [name, places] of members) {
    const [first = '', ...rest] = name.split('_').map(lemma)
    byFirst.set(first, [...(byFirst.get(first) ?? []), { rest, members: places }])
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.rest.length - a.rest.length)
  return byFirst
}

/** A term found in a text: its words, and its members as "class:member". */
export interface Term {
  readonly words: readonly Word[]
  readonly members: readonly string[]
}

/** Finds the terms of exclusive classes among `words`, the longest names first. */
export function findTerms(words: readonly Word[]): Term[] {
  const terms: Term[] = []
  for (let index = 0; index < words.length; index++) {
    const term = readTerm(words, index)
    if (term === undefined) continue
    terms.push(term)
    index += term.words.length - 1
  }
  return terms
}

function readTerm(words: readonly Word[], index: number): Term | undefined {
  const word = words[index] as Word
  if (word.kind !== 'word') return undefined
  const name = (namesByFirstWord.get(word.lemma) ?? []).find(({ rest }) =>
    rest.every((part, at) => words[index + 1 + at]?.lemma === part),
  )
  if (name !== undefined)
    return { words: words.slice(index, index + name.rest.length + 1), members: name.members }
  const kind = classifyByEnding(word.plain, word.lemma)
  return kind === undefined ? undefined : { words: [word], members: [`${kind}:${word.lemma}`] }
}

function classifyByEnding(plain: string, base: string): number | undefined {
  if (general.has(base)) return undefined
  const singular = plain.replace(/s$/, '')
  if (drugEnd.test(singular)) return substanceClass
  if (diseaseEnd.test(plain)) return diseaseClass
  return cellEnd.test(singular) ? cellClass : undefined
}

/** Whether two terms are different members of one class. */
export function areExclusive(one: Term, other: Term): boolean {
  const classOf = (member: string): string => member.slice(0, member.indexOf(':'))
  return one.members.some((mine) =>
    other.members.some((theirs) => classOf(mine) === classOf(theirs) && mine !== theirs),
  )
}

/** Whether two terms name the same organ: "hepatic" and "liver". */
export function areSameOrgan(one: Term, other: Term): boolean {
  return one.members.some(
    (member) => member.startsWith(`${organClass}:`) && other.members.includes(member),
  )
}

/** Whether `claim` specifies the people ("children") where `source` does not ("patients"). */
export function narrowsPeople(claim: string, source: string): boolean {
  return anyPeople.has(source) && peopleWords.has(claim)
}
