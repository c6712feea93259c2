import { distance } from 'fastest-levenshtein';
import { readSpokenName } from '../../language/spoken-name.ts';
import type { NamedModule, NamedParcel } from '../../language/summary-context.ts';
import { foldText, quote } from '../../language/text.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Scope } from '../../schema/scope.ts';
import { isProbe, MAX_NAME_LENGTH, type NamedEntity } from './name-matching.ts';

export interface NameQuery {
  readonly text: string;
  readonly field: string;
  /** The code of an unknown name. */
  readonly code: string;
  readonly withheld: Scope | null;
  /** The operation takes a parcel as well as a module. */
  readonly tool?: string;
}

const MAX_CANDIDATES = 5;

const withheldHint = ({ field, withheld }: NameQuery): string =>
  `Ask for the whole name or the id, and pass the id as ${field} with # before it (for example "#12"): this key may not list them, which needs the scope ${withheld}.`;

const describeEntity = ({ name, id }: NamedEntity): string => `${name === null ? 'no name' : quote(name)} (#${id})`;

const listCandidates = (candidates: readonly NamedEntity[]): string =>
  candidates.slice(0, MAX_CANDIDATES).map(describeEntity).join(', ') +
  (candidates.length > MAX_CANDIDATES ? ` and ${candidates.length - MAX_CANDIDATES} more` : '');

/** `parcel` is the one that the candidates belong to. */
export function ambiguousName(
  kind: string,
  query: NameQuery,
  candidates: readonly NamedEntity[],
  parcel: NamedParcel | null = null,
): AcequiaError {
  const { text, field, withheld, tool } = query;
  const problem = { code: 'AMBIGUOUS_NAME', status: 400, field };
  const meaning = `${quote(text)} can mean several ${kind}`;
  if (withheld !== null) return new AcequiaError({ ...problem, message: `${meaning}.`, hint: withheldHint(query) });
  const hint = `Ask which one is meant and pass its id as ${field}, with # before it (for example "#${candidates[0]!.id}").`;
  return new AcequiaError(
    {
      ...problem,
      message: `${meaning}: ${listCandidates(candidates)}.`,
      hint: hint + wholeParcelHint(query, parcel),
    },
    tool === undefined || parcel === null ? candidates : [...candidates, { ...parcel, argument: 'parcel' }],
  );
}

const wholeParcelHint = ({ tool, field }: NameQuery, parcel: NamedParcel | null): string =>
  tool === undefined || parcel === null
    ? ''
    : ` For the whole parcel, ${tool} takes parcel "#${parcel.id}" in place of ${field}.`;

/** In share of the longer text: "Nroth" is 0.4 from "North". */
const MAX_DISTANCE = 0.4;

const distanceShare = (some: string, other: string): number =>
  distance(some, other) / Math.max(some.length, other.length, 1);

const lettersOf = (text: string): string[] => text.match(/\p{L}{3,}/gu) ?? [];

/** Plants of one crop are similar, though not the same: nectarines and peaches. */
const withoutPlant = (words: readonly string[]): string[] =>
  words.map((word) => word.replace(/^(crop \w+) \d+$/, '$1'));

interface SimilarName<T> {
  readonly each: T;
  readonly likeness: number;
}

/** Those that share a word, or are a misspelling away; the most similar first. */
function similarNames<T extends NamedEntity>(text: string, all: readonly T[]): SimilarName<T>[] {
  const folded = foldText(text.slice(0, MAX_NAME_LENGTH));
  const said = readSpokenName(folded);
  const saidWords = withoutPlant(said.words);
  const saidLetters = lettersOf(folded);
  /** At least 1 for a word in common, less for one that is misspelt; null for neither, as a number alone is not similar. */
  const likenessTo = (name: string): number | null => {
    const foldedName = foldText(name);
    const spoken = readSpokenName(name);
    const words = withoutPlant(spoken.words);
    const shared = saidWords.filter((word) => words.includes(word)).length;
    const misspelt = Math.min(
      distanceShare(folded, foldedName),
      ...saidLetters.flatMap((word) => lettersOf(foldedName).map((other) => distanceShare(word, other))),
    );
    if (shared === 0 && misspelt > MAX_DISTANCE) return null;
    const sharedNumbers = said.numbers.filter((number) => spoken.numbers.includes(number)).length;
    return shared + (1 - misspelt) / 2 + sharedNumbers / 4;
  };
  return all
    .flatMap((each) => {
      const texts = [each.name, each.type].filter((value) => value != null);
      const likeness = Math.max(...texts.map((value) => likenessTo(value) ?? 0));
      return likeness > 0 ? [{ each, likeness }] : [];
    })
    .sort((a, b) => b.likeness - a.likeness || a.each.id - b.each.id);
}

const KIND_WORDS = { module: ['probe', 'probes'], parcel: ['parcel', 'parcels'] } as const;

type Kind = keyof typeof KIND_WORDS;

const unknownName = (kind: Kind, query: NameQuery, hint: string): AcequiaError =>
  new AcequiaError({
    code: query.code,
    status: query.code === 'MODULE_NOT_OWNED' ? 400 : 404,
    message: `No ${KIND_WORDS[kind][0]} is called ${quote(query.text)}.`,
    hint,
    field: query.field,
  });

function candidatesHint(
  kind: Kind,
  query: NameQuery,
  all: readonly NamedEntity[],
  similar = similarNames(query.text, all),
): string {
  if (all.length === 0)
    return `There is no ${KIND_WORDS[kind][0]} yet: add it with set_${kind}, or "acequia import" a farm file.`;
  const nearest = similar.slice(0, MAX_CANDIDATES).map(({ each }) => each);
  const candidates =
    nearest.length > 0
      ? `Nearest: ${listCandidates(nearest)}.`
      : `The ${KIND_WORDS[kind][1]} are ${listCandidates(all)}.`;
  return `${candidates} Ask which one is meant, and pass its name or id from list_${kind}s as ${query.field}.`;
}

export const unknownEntity = (kind: Kind, query: NameQuery, all: readonly NamedEntity[]): AcequiaError =>
  unknownName(kind, query, query.withheld !== null ? withheldHint(query) : candidatesHint(kind, query, all));

/** `meant` are parcels of that name or crop, which have no probe. */
export function unknownModule(
  query: NameQuery,
  modules: readonly NamedModule[],
  parcels: readonly NamedParcel[],
  meant: readonly NamedParcel[],
): AcequiaError {
  if (query.withheld !== null || modules.length === 0) return unknownEntity('module', query, modules);
  const similarModules = similarNames(query.text, modules);
  const similar = similarNames(query.text, parcels)
    .filter(({ likeness }) => likeness > (similarModules[0]?.likeness ?? 0))
    .map(({ each }) => each);
  const described = (meant.length > 0 ? meant : similar)
    .slice(0, 2)
    .map((parcel) => `${describeParcel(parcel, modules, query)} `);
  return unknownName('module', query, described.join('') + candidatesHint('module', query, modules, similarModules));
}

function describeParcel(parcel: NamedParcel, modules: readonly NamedModule[], query: NameQuery): string {
  const probes = modules.filter((module) => module.parcelId === parcel.id && isProbe(module));
  const has =
    probes.length === 0
      ? 'no probe'
      : `the ${probes.length === 1 ? 'probe' : `${probes.length} probes`} ${listCandidates(probes)}`;
  const crop = parcel.type == null ? '' : `, crop ${quote(parcel.type)}`;
  return `The parcel ${quote(parcel.name)} (#${parcel.id}${crop}) has ${has}.${probes.length > 1 ? wholeParcelHint(query, parcel) : ''}`;
}
