import { filterInSlices, type TimeSlice } from '../../domain/event-loop.ts';
import { firstOf } from '../../domain/items.ts';
import { failure, ok, type Result } from '../../domain/result.ts';
import { foldText } from '../../domain/strings.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { quotedName, say, sentences, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { NameDirectory, NamedModule, NamedParcel } from '../../language/summary-context.ts';
import { readSpokenName, type SpokenName, spokenNameOf } from '../../language/words/spoken-name.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { NamedEntryTool } from '../operation.ts';
import {
  candidatesOf,
  candidatesOfKind,
  NameCandidates,
  type NamedEntity,
  sliceOfNames,
} from './name-candidates.ts';
import {
  ambiguousName,
  type NameQuery,
  probeInPlaceOfParcel,
  severalModules,
  unknownEntity,
  unknownModule,
} from './name-errors.ts';
import { type Match, matches, matchesDevices, wholeNameMatches } from './name-matches.ts';

export interface ResolvedName {
  readonly id: number;
  readonly onlyProbe?: { readonly parcel: string; readonly probe: string };
  /** Absent if the text is the exact name or the id. */
  readonly matchedName?: string;
}

/** The facts of the argument with the name that errors need. */
export type NameField = Omit<NameQuery, 'text' | 'missingScope'>;

/** The name of a parcel stands for its only probe. */
export async function resolveModule(
  text: string,
  directory: NameDirectory,
  field: NameField,
): Promise<ResolvedName> {
  const { missingScopes } = directory;
  const query: NameQuery = { text, ...field, missingScope: missingScopes?.modules ?? null };
  const candidates = new NameCandidates(directory);
  const byId = await matchId(query, await directory.modules(), candidates.slice);
  if (byId?.ok) return byId.value;
  if (byId) throw severalModules(query, byId.failure);

  const spokenName = readSpokenName(text);
  const parcelsWithoutProbe = new Set<NamedParcel>();
  for await (const match of matches(text, candidates)) {
    const found = await probesMeant(match, spokenName, candidates);
    if (found.length === 0) {
      for (const parcel of match.parcels) parcelsWithoutProbe.add(parcel);
      continue;
    }

    // The only probe of one of several parcels may not be the one that is meant.
    const isParcelUnclear = match.modules.length === 0 && match.parcels.length > 1;
    if (found.length > 1 || isParcelUnclear)
      throw severalMeant(query, match, found, { isHidden: missingScopes?.parcels != null });
    const resolved = resolvedModule(firstOf(found), match);
    if (isOtherName(query, matchedNameOf(resolved))) break;
    return resolved;
  }

  throw await unknownModule(
    query,
    await candidates.modules(),
    missingScopes?.parcels ? [] : await candidates.parcels(),
    [...parcelsWithoutProbe],
    candidates.slice,
  );
}

/** Modules, and parcels that stand for their probes. */
async function probesMeant(
  { rank, modules, parcels }: Match,
  spokenName: SpokenName,
  candidates: NameCandidates,
): Promise<readonly NamedModule[]> {
  const isExact = rank === 'whole';
  if (isExact && modules.length > 0) return modules;

  const found = new Set(modules);
  for (const parcel of parcels)
    for (const probe of await candidates.probesOf(parcel))
      if (isExact || matchesDevices(spokenName, probe, null)) found.add(probe);
  return withoutTensiometers([...found], spokenName);
}

/**
 * Where a parcel has both, "the probe" is the soil probe: the other one is called a tensiometer.
 */
function withoutTensiometers(
  found: readonly NamedModule[],
  { devices }: SpokenName,
): readonly NamedModule[] {
  const soilProbes = found.filter(({ category }) => category === 'SOIL_PROBE');
  const onlyProbes = devices.length > 0 && devices.every((device) => device === 'probe');
  return onlyProbes && soilProbes.length > 0 ? soilProbes : found;
}

function severalMeant(
  query: NameQuery,
  { modules, parcels }: Match,
  found: readonly NamedModule[],
  { isHidden }: { readonly isHidden: boolean },
): AcequiaError {
  if (modules.length > 1) return severalModules(query, modules);
  if (modules.length === 1) return severalModules(query, found);
  if (parcels.length > 1) return ambiguousName(say`parcels, which have the probes`, query, found);
  if (isHidden) return ambiguousName(say`probes of that parcel`, query, found);

  const parcel = firstOf(parcels);
  return ambiguousName(say`probes of the parcel ${quotedName(parcel.name)}`, query, found, parcel);
}

function resolvedModule(module: NamedModule, { rank, modules, parcels }: Match): ResolvedName {
  const { id, name } = module;
  const displayName = name ?? `module ${id}`;
  if (modules.length === 0)
    return { id, onlyProbe: { parcel: firstOf(parcels).name, probe: displayName } };
  return rank === 'whole' ? { id } : { id, matchedName: displayName };
}

const matchedNameOf = ({ onlyProbe, matchedName }: ResolvedName): string | undefined =>
  onlyProbe?.parcel ?? matchedName;

export async function resolveParcel(
  text: string,
  directory: NameDirectory,
  field: NameField,
): Promise<ResolvedName> {
  const { missingScopes } = directory;
  const query: NameQuery = { text, ...field, missingScope: missingScopes?.parcels ?? null };
  const candidates = candidatesOfKind('parcel', directory);
  const parcels = await directory.parcels();
  const byId = await matchId(query, parcels, candidates.slice);
  if (byId?.ok) return byId.value;
  if (byId) throw ambiguousName(say`parcels`, query, byId.failure);

  for await (const match of matches(text, candidates)) {
    const parcel = firstOf(match.parcels);
    if (match.parcels.length > 1) throw ambiguousName(say`parcels`, query, match.parcels);
    if (match.rank === 'whole') return { id: parcel.id };
    if (isOtherName(query, parcel.name))
      throw await unknownEntity('parcel', query, await candidates.parcels(), candidates.slice);

    await assertMeansWholeParcel(query, parcel, directory);
    return { id: parcel.id, matchedName: parcel.name };
  }

  if (query.missingScope === null && !missingScopes?.modules)
    await assertIsNoProbe(query, directory);
  throw await unknownEntity('parcel', query, await candidates.parcels(), candidates.slice);
}

/** "Both probes" of a parcel that has a tensiometer too are not all that stands in it. */
async function assertMeansWholeParcel(
  query: NameQuery,
  parcel: NamedParcel,
  directory: NameDirectory,
): Promise<void> {
  const spokenName = readSpokenName(query.text);
  if (spokenName.devices.length === 0 || directory.missingScopes?.modules) return;

  const probes = await new NameCandidates(directory).probesOf(parcel);
  const meant = withoutTensiometers(
    probes.filter((probe) => matchesDevices(spokenName, probe, null)),
    spokenName,
  );
  if (meant.length > 0 && meant.length < probes.length)
    throw probeInPlaceOfParcel(query, meant, await directory.parcels());
}

async function assertIsNoProbe(query: NameQuery, directory: NameDirectory): Promise<void> {
  for await (const { rank, modules } of matches(query.text, candidatesOfKind('module', directory)))
    if (rank === 'whole' || rank === 'spoken')
      throw probeInPlaceOfParcel(query, modules, await directory.parcels());
    else return;
}

/** `#12` is always an id, and so are digits without a match. */
async function matchId<T extends NamedEntity>(
  { text, isWrite = false }: NameQuery,
  all: readonly T[],
  slice: TimeSlice,
): Promise<Result<{ id: number }, T[]> | null> {
  const explicitId = explicitIdIn(text);
  if (explicitId !== null) return ok({ id: explicitId });
  if (!/^\d{1,15}$/.test(text.trim())) return null;

  const id = Number(text.trim());
  const withId = all.filter((entity) => entity.id === id);
  // What is read shows its name; a write on the wrong one might not be noticed.
  const mayBeNumber = isWrite && withId.length > 0;
  const called = await filterInSlices(
    all,
    (entity) =>
      entity.id !== id &&
      (entity.name === text.trim() || (mayBeNumber && finalNumber(entity.name) === id)),
    slice,
  );
  const found = [...withId, ...called];
  return found.length > 1 ? failure(found) : ok({ id: found[0]?.id ?? id });
}

/** The id in "#12". */
function explicitIdIn(text: string): number | null {
  const digits = /^#(\d{1,15})$/.exec(text.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

function finalNumber(name: string | null): number | null {
  const digits = name === null ? undefined : /\d{1,15}$/.exec(name.trim())?.[0];
  return digits === undefined ? null : Number(digits);
}

/** Finds an entity that is created unless it exists: therefore only a whole name matches. */
export async function findByWholeName<T extends NamedEntity>(
  text: string,
  all: readonly T[],
  kind: 'parcel' | 'module',
  directory: NameDirectory,
): Promise<T | null> {
  const query = queryOfEntry(text, kind, directory);
  const candidates = candidatesOf(all);
  const slice = sliceOfNames(directory);

  const id = explicitIdIn(text);
  const found =
    id === null
      ? await wholeNameMatches(text, candidates, slice)
      : all.filter((entity) => entity.id === id);
  if (found.length > 1) throw ambiguousName(word(`${kind}s` as const), query, found);
  if (found.length === 0 && id !== null) throw await unknownEntity(kind, query, candidates, slice);
  return found[0] ?? null;
}

const queryOfEntry = (
  text: string,
  kind: 'parcel' | 'module',
  { missingScopes }: NameDirectory,
): NameQuery => ({
  text,
  field: 'name',
  code: 'not_found',
  missingScope: missingScopes?.[`${kind}s`] ?? null,
});

/**
 * The entry that a tool changes, by a whole name in any spelling. A part of a name is not enough,
 * because it may be that of an entry to add. Null if the operation finds it by its exact name or id,
 * or adds it; throws if several are meant, or if a new one still lacks something.
 */
export async function resolveEntryName(
  text: string,
  { kind, missingOfNew }: NamedEntryTool,
  values: Readonly<Record<string, unknown>>,
  directory: NameDirectory,
): Promise<ResolvedName | null> {
  if (/^#\d+$/.test(text)) return null;

  const query = queryOfEntry(text, kind, directory);
  const candidates = candidatesOfKind(kind, directory);
  for await (const { rank, modules, parcels } of matches(text, candidates)) {
    if (rank === 'whole') return null;
    if (rank !== 'spoken') break;

    const found = [...modules, ...parcels].filter(
      ({ name }) => name === null || !haveOtherSigns(text, name),
    );
    if (found.length > 1) throw ambiguousName(word(`${kind}s` as const), query, found);
    const [entity] = found;
    if (entity !== undefined) return { id: entity.id, matchedName: entity.name ?? `#${entity.id}` };
  }

  const missing = missingOfNew?.(values) ?? null;
  if (missing === null) return null;
  const all = kind === 'module' ? await candidates.modules() : await candidates.parcels();
  throw incompleteEntry(kind, await unknownEntity(kind, query, all, candidates.slice), missing);
}

/** Names those that exist, one of which may be meant. */
const incompleteEntry = (
  kind: NamedEntryTool['kind'],
  { code, status, texts, field }: AcequiaError,
  missing: Text,
): AcequiaError =>
  new AcequiaError({
    code,
    status,
    message: sentences([texts.message, missing]),
    hint: say`Ask for them, or pass the name or id of one that exists, from ${operationName(`list_${kind}s`)}, as ${argument('name')}.`,
    field,
  });

/** Completes a text that no name contains by what it means. Empty if it means nothing. */
export async function namesMeantBy(
  text: string,
  directory: NameDirectory,
): Promise<Pick<Match, 'modules' | 'parcels'>> {
  const candidates = new NameCandidates(directory);
  const spokenName = readSpokenName(text);
  for await (const match of matches(text, candidates))
    return { modules: await probesMeant(match, spokenName, candidates), parcels: match.parcels };
  return { modules: [], parcels: [] };
}

/**
 * Matches signs that people leave out or add in a name: quotes, sentence marks, dashes between
 * words.
 */
const LOOSE = /[\s#&°º№.,:;!?"“”„«»‘’'()[\]_/\\-]/u;
const LETTER = /[\p{L}\p{N}\p{M}\p{So}]/u;
/** A mark at the end of a word may be its name: A- beside A. */
const ENDS_WORD = /['/-]/;

/** The marks that distinguish a name: of "A+" the plus, of "Row 1/2" the slash. */
function signsOf(name: string): { readonly own: string; readonly joining: string } {
  const text = foldText(name).replace(/[‐‑‒–—−]/gu, '-');
  let own = '';
  let joining = '';

  for (const [index, mark] of [...text].entries()) {
    if (LETTER.test(mark) || /\s/.test(mark)) continue;
    const before = LETTER.test(text[index - 1] ?? '');
    const after = LETTER.test(text[index + 1] ?? '');
    if (!LOOSE.test(mark) || (ENDS_WORD.test(mark) && before !== after)) own += mark;
    else if (before && after && /[./-]/.test(mark)) joining += mark;
  }
  return { own, joining };
}

/**
 * True for "A+" and "A-", or "Row 1/2" and "Row 1-2", which are two names; false for "Block-A" and
 * "Block A", or "North 1." and "North 1".
 */
function haveOtherSigns(some: string, other: string): boolean {
  const [a, b] = [signsOf(some), signsOf(other)];
  const joinedOtherwise = a.joining !== '' && b.joining !== '' && a.joining !== b.joining;
  return a.own !== b.own || joinedOtherwise;
}

/** In a write "A-" is not the probe "A+"; an answer to a read shows the name. */
const isOtherName = ({ text, isWrite = false }: NameQuery, name: string | undefined): boolean =>
  isWrite &&
  name !== undefined &&
  readSpokenName(text).compact === spokenNameOf(name).compact &&
  haveOtherSigns(text, name);
