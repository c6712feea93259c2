import { distance } from 'fastest-levenshtein';
import type { NameDirectory, NamedModule } from '../../language/summary-context.ts';
import { foldText, quote } from '../../language/text.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Scope } from '../../schema/scope.ts';

interface NamedEntity {
  readonly id: number;
  readonly name: string | null;
  readonly otherNames?: readonly string[];
}

type NameMatch<T> = { one: T } | { several: T[] } | { none: true };

const toMatch = <T>(matches: T[]): NameMatch<T> | null =>
  matches.length === 0 ? null : matches.length === 1 ? { one: matches[0]! } : { several: matches };

const foldedNames = ({ name }: NamedEntity): string[] => (name === null ? [] : [foldText(name)]);
const foldedOtherNames = ({ otherNames = [] }: NamedEntity): string[] => otherNames.map(foldText);

/** In characters, longer than any name. */
const MAX_NAME_LENGTH = 1_000;

/** Exact, then without case and accents, then in other languages. Names that differ only in case stay ambiguous. */
function matchWholeName<T extends NamedEntity>(text: string, all: readonly T[]): NameMatch<T> | null {
  if (text.length > MAX_NAME_LENGTH) return null;
  const folded = foldText(text);
  return (
    toMatch(all.filter((each) => each.name === text.trim())) ??
    toMatch(all.filter((each) => foldedNames(each).includes(folded))) ??
    toMatch(all.filter((each) => foldedOtherNames(each).includes(folded)))
  );
}

/** At least three characters, not digits alone. */
function matchPartialName<T extends NamedEntity>(text: string, all: readonly T[]): NameMatch<T> | null {
  if (text.length > MAX_NAME_LENGTH) return null;
  const folded = foldText(text);
  if (folded.length < 3 || /^\d+$/.test(folded)) return null;
  const isPart = (name: string): boolean => name.includes(folded);
  return (
    toMatch(all.filter((each) => foldedNames(each).some(isPart))) ??
    toMatch(all.filter((each) => foldedOtherNames(each).some(isPart)))
  );
}

const listCandidates = (candidates: readonly NamedEntity[]): string =>
  candidates
    .slice(0, 5)
    .map((each) => `${each.name === null ? 'no name' : quote(each.name)} (#${each.id})`)
    .join(', ') + (candidates.length > 5 ? ` and ${candidates.length - 5} more` : '');

const nearestNames = (text: string, all: readonly NamedEntity[]): NamedEntity[] => {
  const folded = foldText(text.slice(0, MAX_NAME_LENGTH));
  return all
    .map((each) => ({
      each,
      far: each.name === null ? Number.POSITIVE_INFINITY : distance(folded, foldText(each.name)),
    }))
    .sort((a, b) => a.far - b.far || a.each.id - b.each.id)
    .slice(0, 5)
    .map(({ each }) => each);
};

type Reference<T extends NamedEntity> = { id: number } | NameMatch<T>;

/** `#12` is always an id. Digits without a match are passed on as an id. */
function matchIdOrWholeName<T extends NamedEntity>(text: string, all: readonly T[]): Reference<T> | null {
  const explicitId = /^#(\d{1,15})$/.exec(text.trim());
  if (explicitId) return { id: Number(explicitId[1]) };
  if (!/^\d{1,15}$/.test(text.trim())) return matchWholeName(text, all);
  const id = Number(text.trim());
  const owner = all.filter((each) => each.id === id);
  const namesakes = all.filter((each) => each.name === text.trim() && each.id !== id);
  return toMatch([...owner, ...namesakes]) ?? { id };
}

const PROBE_CATEGORIES = ['SOIL_PROBE', 'TENSIOMETER'];

/** For what may not exist yet, so only a whole name matches. Null without a match. */
export function matchOwnName<T extends NamedEntity>(
  text: string,
  all: readonly T[],
  what: 'parcel' | 'module',
  withheld: Scope | null,
): T | null {
  const query: NameQuery = { text, field: 'name', withheld };
  const id = /^#(\d{1,15})$/.exec(text.trim())?.[1];
  const match = id === undefined ? matchWholeName(text, all) : toMatch(all.filter((each) => each.id === Number(id)));
  if (match === null && id === undefined) return null;
  if (match !== null && 'one' in match) return match.one;
  if (match !== null && 'several' in match) throw ambiguousName(`${what}s`, query, match.several);
  throw unknownName(what, query, all, 'not_found');
}

export interface ResolvedReference {
  readonly id: number;
  readonly onlyProbe?: { readonly parcel: string; readonly probe: string };
}

interface NameQuery {
  readonly text: string;
  readonly field: string;
  readonly withheld: Scope | null;
}

const withheldHint = ({ field, withheld }: NameQuery): string =>
  `Ask for the whole name or the id, and pass the id as ${field} with # before it (for example "#12"): this key may not list them, which needs the scope ${withheld}.`;

const ambiguousName = (kind: string, query: NameQuery, candidates: readonly NamedEntity[]): AcequiaError =>
  new AcequiaError(
    {
      code: 'AMBIGUOUS_NAME',
      status: 400,
      message: `${quote(query.text)} can mean several ${kind}${query.withheld === null ? `: ${listCandidates(candidates)}` : ''}.`,
      hint:
        query.withheld === null
          ? `Ask which one is meant and pass its id as ${query.field}, with # before it (for example "#${candidates[0]!.id}").`
          : withheldHint(query),
      field: query.field,
    },
    query.withheld === null ? candidates : [],
  );

const unknownName = (kind: string, query: NameQuery, all: readonly NamedEntity[], code: string): AcequiaError =>
  new AcequiaError({
    code,
    status: code === 'MODULE_NOT_OWNED' ? 400 : 404,
    message: `No ${kind} is called ${quote(query.text)}.`,
    hint: nearestHint(kind, query, all),
    field: query.field,
  });

function nearestHint(kind: string, query: NameQuery, all: readonly NamedEntity[]): string {
  if (query.withheld !== null) return withheldHint(query);
  if (all.length === 0) return `There is no ${kind} yet: add it with set_${kind}, or "acequia import" a farm file.`;
  const list = kind === 'parcel' ? 'list_parcels' : 'list_modules';
  return `Nearest: ${listCandidates(nearestNames(query.text, all))}. Pass a name or id from ${list} as ${query.field}.`;
}

export async function resolveParcel(
  text: string,
  directory: NameDirectory,
  code: string,
  field: string,
): Promise<ResolvedReference> {
  const parcels = await directory.parcels();
  const query: NameQuery = { text, field, withheld: directory.withheld?.parcels ?? null };
  const match = matchIdOrWholeName(text, parcels) ?? matchPartialName(text, parcels) ?? { none: true };
  if ('id' in match) return { id: match.id };
  if ('one' in match) return { id: match.one.id };
  if ('several' in match) throw ambiguousName('parcels', query, match.several);
  throw unknownName('parcel', query, parcels, code);
}

export async function resolveModule(
  text: string,
  directory: NameDirectory,
  code: string,
  field: string,
): Promise<ResolvedReference> {
  const modules = await directory.modules();
  const query: NameQuery = { text, field, withheld: directory.withheld?.modules ?? null };
  const moduleOf = (match: Reference<NamedModule> | null): ResolvedReference | null => {
    if (match === null || 'none' in match) return null;
    if ('id' in match) return { id: match.id };
    if ('several' in match) throw ambiguousName('modules', query, match.several);
    return { id: match.one.id };
  };
  const matched = moduleOf(matchIdOrWholeName(text, modules));
  if (matched) return matched;
  const parcels = await directory.parcels();
  const probesOf = (parcel: NamedEntity): NamedModule[] =>
    modules.filter((module) => module.parcelId === parcel.id && PROBE_CATEGORIES.includes(module.category ?? ''));
  /** The candidates are the probes of these parcels. */
  const refuseAmbiguousParcels = (several: readonly NamedEntity[]): null => {
    const probes = several.flatMap(probesOf);
    if (probes.length === 0) return null;
    throw ambiguousName('parcels, which have the probes', query, probes);
  };
  const onlyProbeOf = (match: NameMatch<NamedEntity> | null): ResolvedReference | null => {
    if (match === null || 'none' in match) return null;
    if ('several' in match) return refuseAmbiguousParcels(match.several);
    const probes = probesOf(match.one);
    if (probes.length === 0) return null;
    if (probes.length > 1) throw ambiguousName('probes of that parcel', query, probes);
    const name = probes[0]!.name ?? `module ${probes[0]!.id}`;
    return { id: probes[0]!.id, onlyProbe: { parcel: match.one.name!, probe: name } };
  };
  /** A text in a module's name and a parcel's must mean the same probe. */
  const matchEitherPartialName = (): ResolvedReference | null => {
    const module = matchPartialName(text, modules);
    const parcel = matchPartialName(text, parcels);
    if (module === null || !('one' in module) || parcel === null) return moduleOf(module) ?? onlyProbeOf(parcel);
    const probes = 'one' in parcel ? probesOf(parcel.one) : modules.filter((each) => each.id !== module.one.id);
    const candidates = [module.one, ...probes.filter((probe) => probe.id !== module.one.id)];
    if (candidates.length > 1) throw ambiguousName('modules', query, candidates);
    return { id: module.one.id };
  };
  const isDigits = /^#?\d+$/.test(text.trim());
  const found = (isDigits ? null : onlyProbeOf(matchWholeName(text, parcels))) ?? matchEitherPartialName();
  if (found) return found;
  throw unknownName('module', query, modules, code);
}
