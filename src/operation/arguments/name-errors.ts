import { distance } from 'fastest-levenshtein';
import { readSpokenName, type SpokenName } from '../../language/spoken-name.ts';
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

export const ambiguousName = (
  kind: string,
  query: NameQuery,
  candidates: readonly NamedEntity[],
  parcel: NamedParcel | null = null,
): AcequiaError =>
  new AcequiaError(
    {
      code: 'AMBIGUOUS_NAME',
      status: 400,
      message: `${quote(query.text)} can mean several ${kind}${query.withheld === null ? `: ${listCandidates(candidates)}` : ''}.`,
      hint:
        query.withheld === null
          ? `Ask which one is meant and pass its id as ${query.field}, with # before it (for example "#${candidates[0]!.id}").${wholeParcelHint(query, parcel)}`
          : withheldHint(query),
      field: query.field,
    },
    query.withheld === null ? candidates : [],
  );

const wholeParcelHint = ({ tool, field }: NameQuery, parcel: NamedParcel | null): string =>
  tool === undefined || parcel === null
    ? ''
    : ` For the whole parcel, ${tool} takes parcel "#${parcel.id}" in place of ${field}.`;

/** In share of their length, from the whole name or its most similar word. */
const MAX_DISTANCE = 0.4;

/** 0 for the same words; Infinity without resemblance. */
function unlikeness(text: string, said: SpokenName, name: string): number {
  const folded = foldText(name);
  const share = (some: string, other: string): number => distance(some, other) / Math.max(some.length, other.length, 1);
  const whole = share(text, folded);
  const shared = [...said.words, ...said.numbers].filter((word) => {
    const { words, numbers } = readSpokenName(name);
    return words.includes(word) || numbers.includes(word);
  }).length;
  const words = (each: string): string[] => each.split(' ').filter(({ length }) => length > 3);
  const resembles =
    whole <= MAX_DISTANCE ||
    shared > 0 ||
    words(text).some((word) => words(folded).some((other) => share(word, other) <= MAX_DISTANCE));
  return resembles ? whole - shared : Number.POSITIVE_INFINITY;
}

/** Those that share a word, or are a misspelling away; the most similar first. */
function similarNames<T extends NamedEntity>(text: string, all: readonly T[]): T[] {
  const folded = foldText(text.slice(0, MAX_NAME_LENGTH));
  const said = readSpokenName(folded);
  return all
    .map((each) => ({ each, far: each.name === null ? Number.POSITIVE_INFINITY : unlikeness(folded, said, each.name) }))
    .filter(({ far }) => far < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.far - b.far || a.each.id - b.each.id)
    .map(({ each }) => each);
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

function candidatesHint(kind: Kind, query: NameQuery, all: readonly NamedEntity[]): string {
  if (all.length === 0)
    return `There is no ${KIND_WORDS[kind][0]} yet: add it with set_${kind}, or "acequia import" a farm file.`;
  const similar = similarNames(query.text, all);
  const candidates =
    similar.length > 0
      ? `Nearest: ${listCandidates(similar.slice(0, MAX_CANDIDATES))}.`
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
  const described = (meant.length > 0 ? meant : similarNames(query.text, parcels))
    .slice(0, 2)
    .map((parcel) => `${describeParcel(parcel, modules, query)} `);
  return unknownName('module', query, described.join('') + candidatesHint('module', query, modules));
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
