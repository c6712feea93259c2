import { firstOf } from '../../domain/items.ts';
import { foldText } from '../../domain/strings.ts';
import { argument, aside, bracketedId, operationName } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say, sentences, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { isProbe, type NamedModule, type NamedParcel } from '../../language/summary-context.ts';
import { readSpokenName, spokenNameOf } from '../../language/words/spoken-name.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Scope } from '../../schema/scope.ts';
import type { NamedEntity } from './name-matching.ts';
import { spellingLikeness } from './spelling-likeness.ts';

export interface NameQuery {
  readonly text: string;
  readonly field: string;
  /** Error code for an unknown name. */
  readonly code: string;
  /** Scope that the caller lacks to list these names. */
  readonly missingScope: Scope | null;
  /** Name of the tool, if it takes a parcel as well as a module. */
  readonly tool?: string | undefined;
  /** True if the operation takes a module as well as a parcel. */
  readonly takesModule?: boolean;
  /** True for a write, for which digits that also end another name are no id. */
  readonly isWrite?: boolean;
}

const MAX_CANDIDATES = 5;
const MAX_DESCRIBED_PARCELS = 2;

const hiddenNamesHint = ({ field, missingScope }: NameQuery): Text =>
  say`Ask for the whole name or the id, and pass the id as ${argument(field)} with # before it (for example "#12"): this key may not list them, which needs the scope ${verbatim(String(missingScope))}.`;

const describeEntity = ({ name, uid, id }: NamedEntity): Text =>
  say`${quotedName(name ?? uid ?? 'without a name')}${bracketedId(id)}`;

/** "#12", as a tool takes it. */
const idText = (id: number): Text => say`#${verbatim(String(id))}`;

function listCandidates(candidates: readonly NamedEntity[]): Text {
  const listed = commaSeparated(candidates.slice(0, MAX_CANDIDATES).map(describeEntity));
  const omitted = candidates.length - MAX_CANDIDATES;
  return omitted > 0 ? say`${listed} and ${omitted} more` : listed;
}

/** `parcel` is the one that the candidates belong to. */
export function ambiguousName(
  kind: Text,
  query: NameQuery,
  candidates: readonly NamedEntity[],
  parcel: NamedParcel | null = null,
): AcequiaError {
  const { text, field, missingScope, tool } = query;
  const problem = { code: 'AMBIGUOUS_NAME', status: 400, field };
  const meaning = say`${quotedName(text)} can mean several ${kind}`;
  if (missingScope !== null)
    return new AcequiaError({
      ...problem,
      message: say`${meaning}.`,
      hint: hiddenNamesHint(query),
    });

  const hint = say`Ask which one is meant and pass its id as ${argument(field)}, with # before it (for example "${idText(firstOf(candidates).id)}").`;
  return new AcequiaError(
    {
      ...problem,
      message: say`${meaning}: ${listCandidates(candidates)}.`,
      hint: sentences([hint, wholeParcelHint(query, parcel)]),
    },
    tool === undefined || parcel === null
      ? candidates
      : [...candidates, { ...parcel, argument: 'parcel' }],
  );
}

const wholeParcelHint = ({ tool, field }: NameQuery, parcel: NamedParcel | null): Text | null =>
  tool === undefined || parcel === null
    ? null
    : say`For the whole parcel, ${operationName(tool)} takes ${argument('parcel')} "${idText(parcel.id)}" in place of ${argument(field)}.`;

const lettersOf = (text: string): string[] => text.match(/\p{L}{3,}/gu) ?? [];

/** False for "probe", "block" and other words that do not tell one name from another. */
const distinguishes = (word: string): boolean => readSpokenName(word).words.length > 0;

/** Plants of one crop count as similar, such as nectarines and peaches. */
const withoutPlant = (words: readonly string[]): string[] =>
  words.map((word) => word.replace(/^(crop \w+) \d+$/, '$1'));

/** In characters: what is longer is no misspelt name. */
const MAX_MISSPELT_LENGTH = 200;
const MAX_MISSPELT_WORDS = 12;

/** Compares the words of a text with those of all names, each word once. */
class WordLikeness {
  readonly #words: readonly string[];
  readonly #likeness = new Map<string, readonly number[]>();

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** The likeness to each word of the text. */
  to(other: string): readonly number[] {
    const known = this.#likeness.get(other);
    if (known) return known;
    const likeness = this.#words.map((word) => spellingLikeness(word, other));
    this.#likeness.set(other, likeness);
    return likeness;
  }
}

interface SimilarName<T> {
  readonly entity: T;
  readonly likeness: number;
}

/** Names that share a word with the text or are a misspelling of it, most similar first. */
function similarNames<T extends NamedEntity>(text: string, all: readonly T[]): SimilarName<T>[] {
  const folded = foldText(text.slice(0, MAX_MISSPELT_LENGTH));
  const spokenQuery = readSpokenName(folded);
  const queryWords = withoutPlant(spokenQuery.words);
  const queryLetters = [...new Set(lettersOf(folded))]
    .filter(distinguishes)
    .slice(0, MAX_MISSPELT_WORDS);
  const likenessOfWords = new WordLikeness(queryLetters);

  /** 0 without a shared or a misspelt word: a shared number alone does not count. */
  const likenessTo = (name: string): number => {
    const foldedName = foldText(name);
    const spoken = spokenNameOf(name);
    const words = withoutPlant(spoken.words);
    const shared = queryWords.filter((word) => words.includes(word)).length;
    const letters = lettersOf(foldedName);
    const likeWords = queryLetters.map((_, index) =>
      Math.max(0, ...letters.map((other) => likenessOfWords.to(other)[index] ?? 0)),
    );

    // Whole texts are compared only if they differ in the number of words, as if by a stray space;
    // otherwise "north 12" would be like "south 12".
    const hasOtherWordCount = letters.length === 0 || letters.length !== lettersOf(folded).length;
    const spelling = Math.max(
      hasOtherWordCount ? spellingLikeness(folded, foldedName) : 0,
      likeWords.reduce((sum, each) => sum + each, 0),
    );
    if (shared === 0 && spelling === 0) return 0;

    const sharedNumbers = spokenQuery.numbers.filter((number) =>
      spoken.numbers.includes(number),
    ).length;

    // A misspelt word counts half as much as a shared one, and a shared number a quarter.
    return shared + spelling / 2 + sharedNumbers / 4;
  };

  return all
    .flatMap((each) => {
      const texts = [each.name, each.type].filter((value) => value != null);
      const likeness = texts.reduce((sum, value) => sum + likenessTo(value), 0);
      return likeness > 0 ? [{ entity: each, likeness }] : [];
    })
    .sort((a, b) => b.likeness - a.likeness || a.entity.id - b.entity.id);
}

const KIND_WORDS = {
  module: [say`probe`, say`probes`],
  parcel: [say`parcel`, say`parcels`],
} as const;

type EntityKind = keyof typeof KIND_WORDS;

/** Which names may be meant, to be read out, and what to do next. */
interface NameAdvice {
  readonly candidates: Text | null;
  readonly hint: Text;
}

const unknownName = (
  kind: EntityKind,
  query: NameQuery,
  { candidates, hint }: NameAdvice,
): AcequiaError =>
  new AcequiaError({
    code: query.code,
    status: query.code === 'MODULE_NOT_OWNED' ? 400 : 404,
    message: sentences([
      say`No ${KIND_WORDS[kind][0]} is called ${quotedName(query.text)}.`,
      candidates,
    ]),
    hint,
    field: query.field,
  });

/** The error for a name of probes where a parcel is expected. */
export function probeInPlaceOfParcel(
  query: NameQuery,
  probes: readonly NamedModule[],
  parcels: readonly NamedParcel[],
): AcequiaError {
  const described = probes.slice(0, MAX_CANDIDATES).map((probe) => {
    const parcel = parcels.find(({ id }) => id === probe.parcelId);
    const place =
      parcel === undefined ? say`without a parcel` : say`of the parcel ${describeEntity(parcel)}`;
    return say`${describeEntity(probe)} is a ${isProbe(probe) ? say`probe` : say`module`} ${place}.`;
  });

  const asModule =
    probes.length > 1
      ? say`Pass the one that is meant as ${argument('module')}`
      : say`Pass it as ${argument('module')} "${idText(firstOf(probes).id)}"`;
  const hint = query.takesModule
    ? say`${asModule}, or the parcel as ${argument(query.field)} for all of it.`
    : say`Pass the parcel as ${argument(query.field)}.`;

  return unknownName('parcel', query, { candidates: sentences(described), hint });
}

function adviseOfNames(
  kind: EntityKind,
  query: NameQuery,
  all: readonly NamedEntity[],
  similar = similarNames(query.text, all),
): NameAdvice {
  const [one, several] = KIND_WORDS[kind];
  if (all.length === 0)
    return {
      candidates: say`There is no ${one} yet.`,
      hint: say`Add it with ${operationName(`set_${kind}`)}, or "acequia import" a farm file.`,
    };

  const nearest = similar.slice(0, MAX_CANDIDATES).map(({ entity }) => entity);
  return {
    candidates:
      nearest.length > 0
        ? say`Nearest: ${listCandidates(nearest)}.`
        : say`The ${several} are ${listCandidates(all)}.`,
    hint: say`Ask which one is meant, and pass its name or id from ${operationName(`list_${kind}s`)} as ${argument(query.field)}.`,
  };
}

export const unknownEntity = (
  kind: EntityKind,
  query: NameQuery,
  all: readonly NamedEntity[],
): AcequiaError =>
  unknownName(
    kind,
    query,
    query.missingScope !== null
      ? { candidates: null, hint: hiddenNamesHint(query) }
      : adviseOfNames(kind, query, all),
  );

/** `withoutProbe` are parcels that have this name or crop, but no probe. */
export function unknownModule(
  query: NameQuery,
  modules: readonly NamedModule[],
  parcels: readonly NamedParcel[],
  withoutProbe: readonly NamedParcel[],
): AcequiaError {
  if (query.missingScope !== null || modules.length === 0)
    return unknownEntity('module', query, modules);

  const similarModules = similarNames(query.text, modules);
  const likenessOfModules = similarModules[0]?.likeness ?? 0;
  const moreSimilarParcels = similarNames(query.text, parcels)
    .filter(({ likeness }) => likeness > likenessOfModules)
    .map(({ entity }) => entity);
  const describedParcels = (withoutProbe.length > 0 ? withoutProbe : moreSimilarParcels)
    .slice(0, MAX_DESCRIBED_PARCELS)
    .map((parcel) => describeParcel(parcel, modules, query));

  const { candidates, hint } = adviseOfNames('module', query, modules, similarModules);
  return unknownName('module', query, {
    candidates: sentences([...describedParcels.map(({ sentence }) => sentence), candidates]),
    hint: sentences([...describedParcels.map((each) => each.hint), hint]),
  });
}

/** The error for a call without its module. Probes are named before stations. */
export function unnamedModule(
  query: Omit<NameQuery, 'text'>,
  modules: readonly NamedModule[],
  hint: Text | null,
): AcequiaError {
  const { field, code, tool } = query;
  const problem = { code, status: 400, message: say`${argument(field)} is missing.`, field };
  if (query.missingScope !== null) return new AcequiaError({ ...problem, hint: hint ?? undefined });

  const probesFirst = [...modules].sort((a, b) => Number(isProbe(b)) - Number(isProbe(a)));
  const { candidates, hint: names } = adviseOfNames('module', { ...query, text: '' }, probesFirst);
  const orParcel =
    tool === undefined
      ? null
      : say`For a whole parcel, ${operationName(tool)} takes ${argument('parcel')} in place of ${argument(field)}.`;
  return new AcequiaError({
    ...problem,
    message: sentences([problem.message, candidates]),
    hint: sentences([names, orParcel]),
  });
}

function describeParcel(
  parcel: NamedParcel,
  modules: readonly NamedModule[],
  query: NameQuery,
): { readonly sentence: Text; readonly hint: Text | null } {
  const probes = modules.filter((module) => module.parcelId === parcel.id && isProbe(module));
  const probesText =
    probes.length === 0
      ? say`no probe`
      : say`the ${probes.length === 1 ? say`probe` : say`${probes.length} probes`} ${listCandidates(probes)}`;
  const crop = parcel.type == null ? null : say`, crop ${quotedName(parcel.type)}`;
  return {
    sentence: say`The parcel ${quotedName(parcel.name)}${aside(say`${idText(parcel.id)}${crop}`)} has ${probesText}.`,
    hint: probes.length > 1 ? wholeParcelHint(query, parcel) : null,
  };
}
