import { isCivilDate } from '../calendar.ts';
import type { CropSeasonFacts, SettingsFacts } from '../facts/probe-facts.ts';
import { LocalDay } from '../local-day.ts';
import { NEVER_AT_REST } from '../moisture/probe-settings.ts';
import { isAnnualCrop } from '../soil/crop-kinds.ts';
import type { SeasonSite } from '../weather/winter.ts';
import { needsNoWaterFrom } from './balance/growth-clock.ts';

/** Says if the crop at a probe is to be watered at all. Dates are local, YYYY-MM-DD. */
export type Season =
  | { readonly kind: 'in_season' }
  /** `until` is the last day of the rest. */
  | { readonly kind: 'at_rest'; readonly until: string }
  /** Already, or soon. */
  | { readonly kind: 'harvested'; readonly on: string }
  /** By the usual length of its season it needs no more water since then; nobody said its harvest. */
  | { readonly kind: 'ripe'; readonly since: string };

const IN_SEASON: Season = { kind: 'in_season' };

type RestSettings = Pick<SettingsFacts, 'restFrom' | 'restUntil'>;

export function seasonOn(
  today: LocalDay,
  settings: RestSettings | null,
  crop: CropSeasonFacts | null,
  site: SeasonSite,
): Season {
  const plantedOn = crop && plantingAfter(today, crop);
  if (plantedOn !== null) return { kind: 'at_rest', until: dayBefore(plantedOn) };

  const ending = crop && endingSeason(today, crop, site);
  if (ending?.kind === 'harvested') return ending;

  const until = settings && endOfRest(today, settings);
  if (until !== null) return { kind: 'at_rest', until };
  return ending ?? IN_SEASON;
}

/** Somebody said when the crop rests, or that it never does. */
export const isRestKnown = (settings: RestSettings | null): boolean =>
  settings !== null && settings.restFrom !== null;

/** Longer than an annual crop stays in the field; winter wheat needs up to 335 days (FAO-56). */
const MAX_SEASON_DAYS = 365;

/** Somebody said when the annual crop was planted, and it is not harvested. */
export function isAnnualGrowing(today: LocalDay, crop: CropSeasonFacts | null): boolean {
  if (crop?.crop == null || crop.plantedOn === null || !isAnnualCrop(crop.crop)) return false;
  const age = LocalDay.parse(crop.plantedOn).daysUntil(today);
  const isHarvested = crop.harvestedOn !== null && crop.harvestedOn <= today.iso;
  return age >= 0 && age <= MAX_SEASON_DAYS && !isHarvested;
}

/**
 * The day on which an annual crop is planted, where that is still to come: until then the land is
 * bare, unless a crop before it is still to be harvested. Not of trees, of which it is the day
 * when growth begins.
 */
function plantingAfter(
  today: LocalDay,
  { crop, plantedOn, harvestedOn }: CropSeasonFacts,
): string | null {
  if (crop === null || plantedOn === null || !isAnnualCrop(crop)) return null;

  const date = today.iso;
  const isGrowing = harvestedOn !== null && harvestedOn > date && harvestedOn < plantedOn;
  return plantedOn > date && !isGrowing ? plantedOn : null;
}

/**
 * Only of a crop that is known to be annual: trees need water after their harvest. Null once the
 * next crop is planted.
 */
function endingSeason(
  today: LocalDay,
  season: CropSeasonFacts,
  site: SeasonSite,
): Extract<Season, { kind: 'harvested' | 'ripe' }> | null {
  const { crop, plantedOn, harvestedOn } = season;
  if (crop === null || !isAnnualCrop(crop)) return null;

  const isPlantedAgain =
    harvestedOn !== null && plantedOn !== null && plantedOn > harvestedOn && plantedOn <= today.iso;
  const since = needsNoWaterFrom(season, crop, site);
  if (isPlantedAgain || since === null || since > today.iso) return null;
  return harvestedOn === null ? { kind: 'ripe', since } : { kind: 'harvested', on: harvestedOn };
}

/** The last day of the rest of which today is one day; null on other days. */
function endOfRest(today: LocalDay, { restFrom, restUntil }: RestSettings): string | null {
  if (restFrom === null || restFrom === NEVER_AT_REST || restUntil === null) return null;

  if (!today.isWithin(restFrom, restUntil)) return null;
  const { year } = today.civil;
  const isBeforeNewYear = restFrom > restUntil && today.iso.slice('2026-'.length) >= restFrom;
  return dateIn(isBeforeNewYear ? year + 1 : year, restUntil);
}

const dayBefore = (date: string): string => LocalDay.parse(date).plus(-1).iso;

/** 29 February is the last day of that month in other years. */
function dateIn(year: number, monthAndDay: string): string {
  const [month, day] = monthAndDay.split('-').map(Number) as [number, number];
  return isCivilDate(year, month, day)
    ? LocalDay.of({ year, month, day }).iso
    : LocalDay.of({ year, month: month + 1, day: 1 }).plus(-1).iso;
}
