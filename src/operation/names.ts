import { distance } from 'fastest-levenshtein';
import { AcequiaError } from '../schema/error.ts';
import type { Directory, NamedModule } from './directory.ts';
import type { Scope } from './scope.ts';

interface Named {
  readonly id: number;
  readonly name: string | null;
  /** What it is called in other languages: matched where no name is. */
  readonly otherNames?: readonly string[];
}

/** A text without case and accents, inner spaces as one. */
export const folded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

type Match<T> = { one: T } | { several: T[] } | { none: true };

const gathered = <T>(found: T[]): Match<T> | null =>
  found.length === 0 ? null : found.length === 1 ? { one: found[0]! } : { several: found };

/** What a thing is called, folded: by its name, or in other languages. */
const called = ({ name }: Named): string[] => (name === null ? [] : [folded(name)]);
const calledElsewhere = ({ otherNames = [] }: Named): string[] => otherNames.map(folded);

/** Exactly, then without case and accents, then in other languages. Names that are alike but for case stay ambiguous. */
function byWholeName<T extends Named>(text: string, all: readonly T[]): Match<T> | null {
  const wanted = folded(text);
  return (
    gathered(all.filter((each) => each.name === text.trim())) ??
    gathered(all.filter((each) => called(each).includes(wanted))) ??
    gathered(all.filter((each) => calledElsewhere(each).includes(wanted)))
  );
}

/** By a part of at least three characters; digits alone are never a part. */
function byPart<T extends Named>(text: string, all: readonly T[]): Match<T> | null {
  const wanted = folded(text);
  if (wanted.length < 3 || /^\d+$/.test(wanted)) return null;
  const isPart = (name: string): boolean => name.includes(wanted);
  return (
    gathered(all.filter((each) => called(each).some(isPart))) ??
    gathered(all.filter((each) => calledElsewhere(each).some(isPart)))
  );
}

/** A name as it may stand in a message: on one line, quoted, short. */
export function quoted(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim();
  return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
}

const listed = (candidates: readonly Named[]): string =>
  candidates
    .slice(0, 5)
    .map((each) => `${each.name === null ? 'no name' : quoted(each.name)} (#${each.id})`)
    .join(', ') + (candidates.length > 5 ? ` and ${candidates.length - 5} more` : '');

const nearest = (text: string, all: readonly Named[]): Named[] => {
  const wanted = folded(text);
  return all
    .map((each) => ({ each, far: each.name === null ? Number.POSITIVE_INFINITY : distance(wanted, folded(each.name)) }))
    .sort((a, b) => a.far - b.far || a.each.id - b.each.id)
    .slice(0, 5)
    .map(({ each }) => each);
};

/** A reference to one thing of a company: the text's id, what it names, or several that it may mean. */
type Reference<T extends Named> = { id: number } | Match<T>;

/** An id ("12", "#12"), or what a whole name stands for. `#12` is always the id; digits that name nothing are passed on. */
function direct<T extends Named>(text: string, all: readonly T[]): Reference<T> | null {
  const sure = /^#(\d{1,15})$/.exec(text.trim());
  if (sure) return { id: Number(sure[1]) };
  if (!/^\d{1,15}$/.test(text.trim())) return byWholeName(text, all);
  const id = Number(text.trim());
  const owner = all.filter((each) => each.id === id);
  const namesakes = all.filter((each) => each.name === text.trim() && each.id !== id);
  return gathered([...owner, ...namesakes]) ?? { id };
}

const PROBES = ['SOIL_PROBE', 'TENSIOMETER'];

export interface Resolved {
  readonly id: number;
  /** The parcel that the text named, and the probe that it was taken as: said in the summary. */
  readonly onlyProbe?: { readonly parcel: string; readonly probe: string };
}

/** What the text was given for, and the scope that keeps the names of such things from who asks. */
interface Asked {
  readonly text: string;
  readonly field: string;
  readonly withheld: Scope | null;
}

const sayWithheld = ({ field, withheld }: Asked): string =>
  `Ask for the whole name or the id, and pass the id as ${field} with # before it (for example "#12"): this key may not see a list, for which it needs the scope ${withheld}.`;

const ambiguous = (what: string, asked: Asked, candidates: readonly Named[]): AcequiaError =>
  new AcequiaError(
    {
      code: 'AMBIGUOUS_NAME',
      status: 400,
      message: `${quoted(asked.text)} can mean several ${what}${asked.withheld === null ? `: ${listed(candidates)}` : ''}.`,
      hint:
        asked.withheld === null
          ? `Ask which one is meant and pass its id as ${asked.field}, with # before it (for example "#${candidates[0]!.id}").`
          : sayWithheld(asked),
      field: asked.field,
    },
    asked.withheld === null ? candidates : [],
  );

const unknown = (what: string, asked: Asked, all: readonly Named[], code: string): AcequiaError =>
  new AcequiaError({
    code,
    status: code === 'MODULE_NOT_OWNED' ? 400 : 404,
    message: `No ${what} is called ${quoted(asked.text)}.`,
    hint: sayNearest(what, asked, all),
    field: asked.field,
  });

function sayNearest(what: string, asked: Asked, all: readonly Named[]): string {
  if (asked.withheld !== null) return sayWithheld(asked);
  if (all.length === 0) return `There is no ${what} yet: import a farm file with "acequia import".`;
  const list = what === 'parcel' ? 'list_parcels' : 'list_modules';
  return `Nearest: ${listed(nearest(asked.text, all))}. Pass a name or id from ${list} as ${asked.field}.`;
}

/** The parcel a text stands for. */
export async function resolveParcel(
  text: string,
  directory: Directory,
  code: string,
  field: string,
): Promise<Resolved> {
  const parcels = await directory.parcels();
  const asked: Asked = { text, field, withheld: directory.withheld?.parcels ?? null };
  const match = direct(text, parcels) ?? byPart(text, parcels) ?? { none: true };
  if ('id' in match) return { id: match.id };
  if ('one' in match) return { id: match.one.id };
  if ('several' in match) throw ambiguous('parcels', asked, match.several);
  throw unknown('parcel', asked, parcels, code);
}

/** The module a text stands for: by its own name, or by its parcel's when that has exactly one probe. */
export async function resolveModule(
  text: string,
  directory: Directory,
  code: string,
  field: string,
): Promise<Resolved> {
  const modules = await directory.modules();
  const asked: Asked = { text, field, withheld: directory.withheld?.modules ?? null };
  const own = (match: Reference<NamedModule> | null): Resolved | null => {
    if (match === null || 'none' in match) return null;
    if ('id' in match) return { id: match.id };
    if ('several' in match) throw ambiguous('modules', asked, match.several);
    return { id: match.one.id };
  };
  const named = own(direct(text, modules));
  if (named) return named;
  const parcels = await directory.parcels();
  const probesOf = (parcel: Named): NamedModule[] =>
    modules.filter((module) => module.parcelId === parcel.id && PROBES.includes(module.category ?? ''));
  /** Parcels that one text can mean: an id passed as a module is a probe's, so it is their probes that are told apart. */
  const ofSeveral = (several: readonly Named[]): null => {
    const probes = several.flatMap(probesOf);
    if (probes.length === 0) return null;
    throw ambiguous('parcels, which have the probes', asked, probes);
  };
  const throughParcel = (match: Match<Named> | null): Resolved | null => {
    if (match === null || 'none' in match) return null;
    if ('several' in match) return ofSeveral(match.several);
    const probes = probesOf(match.one);
    if (probes.length === 0) return null;
    if (probes.length > 1) throw ambiguous('probes of that parcel', asked, probes);
    const name = probes[0]!.name ?? `module ${probes[0]!.id}`;
    return { id: probes[0]!.id, onlyProbe: { parcel: match.one.name!, probe: name } };
  };
  /** A part of a module's name and of a parcel's both: unless they mean the same probe, the person must say which. */
  const byEitherPart = (): Resolved | null => {
    const module = byPart(text, modules);
    const parcel = byPart(text, parcels);
    if (module === null || !('one' in module) || parcel === null) return own(module) ?? throughParcel(parcel);
    const probes = 'one' in parcel ? probesOf(parcel.one) : modules.filter((each) => each.id !== module.one.id);
    const meant = [module.one, ...probes.filter((probe) => probe.id !== module.one.id)];
    if (meant.length > 1) throw ambiguous('modules', asked, meant);
    return { id: module.one.id };
  };
  const isDigits = /^#?\d+$/.test(text.trim());
  const found = (isDigits ? null : throughParcel(byWholeName(text, parcels))) ?? byEitherPart();
  if (found) return found;
  throw unknown('module', asked, modules, code);
}
