import { type SettingsVersion, settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import { sourceTimesAt, type WaterSource } from '../../domain/moisture/water-sources.ts';
import {
  NO_WATER_TIMES,
  nextOpenings,
  type WaterTimes,
} from '../../domain/moisture/water-times.ts';
import { foldText } from '../../domain/strings.ts';
import { argument } from '../../domain/text/program-names.ts';
import { list, quotedName, say } from '../../domain/text/say.ts';
import { resolveParcel } from '../../operation/arguments/name-resolution.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import { type AcequiaError, notFoundError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import type {
  ListedSource,
  ParcelWaterTimesAnswer,
  ProbeWaterTimesAnswer,
  parcelSourceEntry,
  SourceWaterTimesAnswer,
  sourceEntry,
} from '../../schema/moisture/water-times.ts';
import { toIso } from '../../schema/wire-format.ts';
import {
  ownSettingsVersions,
  settingsVersionsOfParcel,
} from '../../store/moisture/settings-versions.ts';
import {
  insertWaterSource,
  parcelsOfSources,
  putSourceVersions,
  waterSources,
} from '../../store/moisture/water-sources.ts';
import { assertOwnParcel, requireOwnModule } from '../ownership.ts';
import { type EnteredTimes, timesAfter } from './entered-times.ts';
import { changeSettingsOf } from './probe-settings.ts';
import { assertWholeTimes } from './whole-water-times.ts';

/** They replace those of its parcel, all of them where the entry says when water comes. */
export async function setProbeWaterTimes(
  call: Call,
  moduleId: number,
  entry: EnteredTimes,
): Promise<ProbeWaterTimesAnswer> {
  const { parcelId } = await requireOwnModule(call, moduleId);
  const ofParcel =
    parcelId === null ? null : timesAt(await settingsVersionsOfParcel(call.db, parcelId), call.now);
  const ownBefore = timesAt(await ownSettingsVersions(call.db, { moduleId }), call.now);
  const own = timesAfter(call, { own: ownBefore, inherited: ofParcel }, entry);
  await changeSettingsOf(call, { moduleId }, { waterTimes: own });

  return {
    moduleId,
    ...timesAnswer(call, own ?? ofParcel, ownBefore ?? ofParcel),
    timesOfParcel: ofParcel && useOfInherited(own, ownBefore),
  };
}

/**
 * They hold for the parcel itself, and for its probes that have none of their own. A parcel without
 * times follows its source.
 */
export async function setParcelWaterTimes(
  call: Call,
  parcelId: number,
  { source: name, ...entry }: EnteredTimes & FieldsOf<typeof parcelSourceEntry>,
): Promise<ParcelWaterTimesAnswer> {
  await assertOwnParcel(call, parcelId);
  const { db, now } = call;
  const before = settingsVersionAt(await settingsVersionsOfParcel(db, parcelId), now);
  const ownBefore = timesAt(await ownSettingsVersions(db, { parcelId }), now);
  const source =
    name == null
      ? await sourceCalled(call, name === null ? null : (before?.waterSource ?? null))
      : await sourceToDrawFrom(call, name);
  const ofSource = source === null ? null : sourceTimesAt(source, now);
  const own = timesAfter(call, { own: ownBefore, inherited: ofSource }, entry);
  const change = { waterTimes: own, waterSource: source?.name ?? null };
  await changeSettingsOf(call, { parcelId }, change);

  return {
    parcelId,
    ...timesAnswer(call, own ?? ofSource, before?.waterTimes ?? null),
    source: source?.name ?? null,
    sourceBefore: before?.waterSource ?? null,
    timesOfSource: ofSource && useOfInherited(own, ownBefore),
  };
}

const timesAt = (versions: readonly SettingsVersion[], now: number): WaterTimes | null =>
  settingsVersionAt(versions, now)?.waterTimes ?? null;

function useOfInherited(
  own: WaterTimes | null,
  ownBefore: WaterTimes | null,
): 'replaced' | 'in_force' | null {
  if (own === null) return 'in_force';
  return ownBefore === null ? 'replaced' : null;
}

const UPCOMING = 3;

function timesAnswer(
  { now, zone }: Call,
  waterTimes: WaterTimes | null,
  before: WaterTimes | null,
) {
  const openings = nextOpenings(
    { ...(waterTimes ?? NO_WATER_TIMES), noticeHours: null },
    { now, zone, count: UPCOMING + 1 },
  );
  const upcoming = openings.filter(({ start }) => start >= now).slice(0, UPCOMING);
  return { waterTimes, before, upcoming: upcoming.map(({ start }) => toIso(start)) };
}

/** The times of a source hold for the parcels that draw from it and have none of their own. */
export async function setSourceWaterTimes(
  call: Call,
  { source: name, parcels, ...entry }: EnteredTimes & FieldsOf<typeof sourceEntry>,
): Promise<SourceWaterTimesAnswer> {
  const { db, now } = call;
  const known = await sourceCalled(call, name);
  if (known === null && parcels === undefined) throw await unknownSource(call, name);
  const source = known ?? (await addSource(call, name));
  for (const parcel of parcels ?? []) {
    const { id: parcelId } = await resolveParcel(parcel, call.directory, PARCELS);
    await assertOwnParcel(call, parcelId);
    await changeSettingsOf(call, { parcelId }, { waterSource: source.name });
  }

  const before = sourceTimesAt(source, now);
  const times = timesAfter(call, { own: before, inherited: null }, entry);
  await putSourceTimes(call, source, times);

  const parcelIds = (await parcelsOfSources(db, now)).get(source.name) ?? [];
  return {
    source: source.name,
    isNew: known === null,
    ...timesAnswer(call, times, before),
    parcelIds: [...parcelIds],
    withOwnTimes: await withOwnTimes(call, parcelIds),
  };
}

const PARCELS = { field: 'parcels', code: 'not_found', takesModule: false, isWrite: true } as const;

/** Returns false if these are in force. The first times apply from the start, like first settings. */
export async function putSourceTimes(
  { db, now }: WriteContext,
  source: WaterSource,
  times: WaterTimes | null,
): Promise<boolean> {
  if (times !== null) assertWholeTimes(times);
  if (JSON.stringify(times) === JSON.stringify(sourceTimesAt(source, now))) return false;
  const earlier = source.versions.filter(({ validFrom }) => validFrom < now);
  const version = { validFrom: source.versions.length === 0 ? 0 : now, times };
  await putSourceVersions(db, { ...source, versions: [...earlier, version] }, now);
  return true;
}

async function withOwnTimes({ db, now }: Call, parcelIds: readonly number[]): Promise<number[]> {
  const own: number[] = [];
  for (const parcelId of parcelIds)
    if (timesAt(await ownSettingsVersions(db, { parcelId }), now) !== null) own.push(parcelId);
  return own;
}

async function sourceCalled(
  { db }: Pick<Call, 'db'>,
  name: string | null,
): Promise<WaterSource | null> {
  if (name === null) return null;
  const folded = foldText(name);
  return (await waterSources(db)).find((source) => foldText(source.name) === folded) ?? null;
}

/** It is added, if none is called so. */
export const sourceToDrawFrom = async (context: WriteContext, name: string): Promise<WaterSource> =>
  (await sourceCalled(context, name)) ?? (await addSource(context, name));

async function addSource({ db, now }: WriteContext, name: string): Promise<WaterSource> {
  await insertWaterSource(db, name, now);
  return { name, versions: [] };
}

async function unknownSource({ db }: Call, name: string): Promise<AcequiaError> {
  const names = (await waterSources(db)).map((source) => say`${quotedName(source.name)}`);
  const toAdd = say`give the parcels that draw from it as ${argument('parcels')}`;
  return notFoundError(
    say`No source of water is called ${quotedName(name)}.`,
    names.length === 0
      ? say`To add it, ${toAdd}.`
      : say`There is ${list(names)}; to add another one, ${toAdd}.`,
  );
}

export async function listWaterSources({ db, now }: Call): Promise<{ data: ListedSource[] }> {
  const sources = await waterSources(db);
  // Most farms have none, and each brief asks.
  if (sources.length === 0) return { data: [] };
  const parcels = await parcelsOfSources(db, now);
  return {
    data: sources.map((source) => ({
      name: source.name,
      waterTimes: sourceTimesAt(source, now),
      parcelIds: [...(parcels.get(source.name) ?? [])],
    })),
  };
}
