import type { TimeSlice } from '../../domain/event-loop.ts';
import { firstOf } from '../../domain/items.ts';
import { argument, aside, bracketedId, operationName } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say, sentences, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { isProbe, type NamedModule, type NamedParcel } from '../../language/summary-context.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Scope } from '../../schema/scope.ts';
import type { Candidate, NamedEntity } from './name-candidates.ts';
import { similarNames } from './similar-names.ts';

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

export const severalModules = (query: NameQuery, modules: readonly NamedModule[]): AcequiaError =>
  ambiguousName(modules.every(isProbe) ? say`probes` : say`modules`, query, modules);

const wholeParcelHint = ({ tool, field }: NameQuery, parcel: NamedParcel | null): Text | null =>
  tool === undefined || parcel === null
    ? null
    : say`For the whole parcel, ${operationName(tool)} takes ${argument('parcel')} "${idText(parcel.id)}" in place of ${argument(field)}.`;

const KIND_WORDS = {
  module: [say`probe`, say`probes`],
  parcel: [say`parcel`, say`parcels`],
} as const;

type EntityKind = keyof typeof KIND_WORDS;

/** The names that may be meant, to be read out, and what to do next. */
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
  query: Pick<NameQuery, 'field'>,
  all: readonly NamedEntity[],
  nearest: readonly NamedEntity[] = [],
): NameAdvice {
  const [one, several] = KIND_WORDS[kind];
  if (all.length === 0)
    return {
      candidates: say`There is no ${one} yet.`,
      hint: say`Add it with ${operationName(`set_${kind}`)}, or "acequia import" a farm file.`,
    };

  return {
    candidates:
      nearest.length > 0
        ? say`Nearest: ${listCandidates(nearest.slice(0, MAX_CANDIDATES))}.`
        : say`The ${several} are ${listCandidates(all)}.`,
    hint: say`Ask which one is meant, and pass its name or id from ${operationName(`list_${kind}s`)} as ${argument(query.field)}.`,
  };
}

export async function unknownEntity(
  kind: EntityKind,
  query: NameQuery,
  candidates: readonly Candidate[],
  slice: TimeSlice,
): Promise<AcequiaError> {
  if (query.missingScope !== null)
    return unknownName(kind, query, { candidates: null, hint: hiddenNamesHint(query) });

  const similar = await similarNames(query.text, candidates, slice);
  return unknownName(
    kind,
    query,
    adviseOfNames(kind, query, entitiesOf(candidates), entitiesOf(similar)),
  );
}

const entitiesOf = <T>(named: readonly { readonly entity: T }[]): T[] =>
  named.map(({ entity }) => entity);

/** `withoutProbe` are parcels that have this name or crop, but no probe. */
export async function unknownModule(
  query: NameQuery,
  moduleCandidates: readonly Candidate<NamedModule>[],
  parcelCandidates: readonly Candidate<NamedParcel>[],
  withoutProbe: readonly NamedParcel[],
  slice: TimeSlice,
): Promise<AcequiaError> {
  if (query.missingScope !== null || moduleCandidates.length === 0)
    return unknownEntity('module', query, moduleCandidates, slice);

  const similarModules = await similarNames(query.text, moduleCandidates, slice);
  const likenessOfModules = similarModules[0]?.likeness ?? 0;
  const describedParcels =
    withoutProbe.length > 0
      ? withoutProbe
      : (await similarNames(query.text, parcelCandidates, slice))
          .filter(({ likeness }) => likeness > likenessOfModules)
          .map(({ entity }) => entity);

  const modules = entitiesOf(moduleCandidates);
  const descriptions = describedParcels
    .slice(0, MAX_DESCRIBED_PARCELS)
    .map((parcel) => describeParcel(parcel, modules, query));
  const advice = adviseOfNames('module', query, modules, entitiesOf(similarModules));
  return unknownName('module', query, {
    candidates: sentences([...descriptions.map(({ sentence }) => sentence), advice.candidates]),
    hint: sentences([...descriptions.map((description) => description.hint), advice.hint]),
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
  const { candidates, hint: names } = adviseOfNames('module', query, probesFirst);
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
