import type { WateringEvidence } from '../../facts/response-facts.ts';
import type { ProbeWateringFacts, WateringFacts } from '../../facts/watering-facts.ts';
import { groupBy } from '../../groups.ts';
import { HOUR_MS } from '../../periods.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { rainDuringWettingEvent } from '../rain-effect.ts';
import { canStillShow } from '../watering-response.ts';

/**
 * Who saw that a watering ran, the strongest first: a person, a probe, or nobody, so that it is
 * assumed. Of an `unconfirmed` one no probe was asked.
 */
export const WITNESSES = ['confirmed', 'probe', 'assumed', 'unconfirmed'] as const;
export type WitnessKind = (typeof WITNESSES)[number];

/** Neither a person nor a probe. */
export const isUnseen = (kind: WitnessKind | null | undefined): boolean =>
  kind === 'assumed' || kind === 'unconfirmed';

/** Why the probe of a watering does not show it. */
export const UNSEEN_REASONS = [
  'no_rise',
  'too_early',
  'no_readings',
  'no_probe',
  'rain',
  'other_watering',
] as const;
export type UnseenReason = (typeof UNSEEN_REASONS)[number];

export interface Witness {
  readonly kind: WitnessKind;
  /** Null where its probe shows it, or was not asked. */
  readonly reason: UnseenReason | null;
}

/** A watering that was done. */
export type WitnessedWatering = Pick<
  ProbeWateringFacts,
  'id' | 'moduleId' | 'scheduleId' | 'startedAt' | 'isConfirmed'
>;

/** For earlier waterings, and more of them, no probe is asked. */
export const MAX_ASKED_DAYS = 92;
export const MAX_ASKED_WATERINGS = 500;

export const CONFIRMED_WITNESS: Witness = { kind: 'confirmed', reason: null };

interface WitnessContext {
  /** Null where the probe measures no water in the soil. */
  readonly evidence: readonly WateringEvidence[] | null;
  /** Recorded on its parcel. */
  readonly rain: readonly RainContribution[];
  readonly now: number;
}

/** Judges by the readings of a probe its own waterings that were done; the keys are their ids. */
export function ownWitnesses(
  done: readonly WateringFacts[],
  { evidence, rain, now }: WitnessContext,
): Map<number, Witness> {
  const confirmedIds = new Set(done.filter(({ isConfirmed }) => isConfirmed).map(({ id }) => id));
  const evidenceById = new Map(
    evidence?.flatMap((group) => group.wateringIds.map((id) => [id, group] as const)),
  );

  return new Map(
    done.map(({ id, isConfirmed }) => {
      if (isConfirmed) return [id, CONFIRMED_WITNESS];
      if (evidence === null) return [id, { kind: 'assumed', reason: 'no_probe' }];
      const group = evidenceById.get(id);
      const reason =
        group === undefined ? 'no_readings' : unseenReason(group, confirmedIds, rain, now);
      return [id, { kind: reason === null ? 'probe' : 'assumed', reason }];
    }),
  );
}

const PERCOLATION_MS = 24 * HOUR_MS;

/**
 * Each rise goes to recorded rain first, and then to a confirmed watering: only another one shows
 * the waterings that nobody confirmed.
 */
function unseenReason(
  { wateringIds, rises, gainMm, isConclusive, ...sent }: WateringEvidence,
  confirmedIds: ReadonlySet<number>,
  rain: readonly RainContribution[],
  now: number,
): UnseenReason | null {
  if (rises.length === 0) {
    if (isConclusive) return 'no_rise';
    return canStillShow(sent, now) ? 'too_early' : 'no_readings';
  }

  const ofWater = risesOfWater({ rises, gainMm }, rain);
  if (ofWater.every((starts) => starts.length === 0)) return 'rain';

  const confirmed = wateringIds.filter((id) => confirmedIds.has(id)).length;
  return ofWater.some((starts) => starts.length > confirmed) ? null : 'other_watering';
}

/** The rises of each depth that recorded rain does not explain. */
export function risesOfWater(
  { rises, gainMm }: Pick<WateringEvidence, 'rises' | 'gainMm'>,
  rain: readonly RainContribution[],
): number[][] {
  const isOfRain = (start: number): boolean =>
    rainDuringWettingEvent({ start, riseMm: gainMm }, rain)?.isEnough === true;
  const rainRoseAt = Math.min(...rises.flat().filter(isOfRain));
  // Rain reaches deeper sensors later, like a watering.
  const percolates = (start: number): boolean =>
    start >= rainRoseAt && start <= rainRoseAt + PERCOLATION_MS;
  return rises.map((starts) => {
    const ofRain = starts.find(percolates);
    return starts.filter((start) => start !== ofRain && !isOfRain(start));
  });
}

type Scheduled = Pick<WateringFacts, 'scheduleId' | 'startedAt'>;

/** Waterings that a schedule starts at the same time are one irrigation. Null for others. */
export const irrigationKey = ({ scheduleId, startedAt }: Scheduled): string | null =>
  scheduleId === null ? null : `${scheduleId} ${startedAt}`;

/**
 * An irrigation takes the strongest witness of its waterings. The reason remains that of the own
 * probe.
 */
export function irrigationWitnesses(
  done: readonly (Scheduled & Pick<WateringFacts, 'id'>)[],
  own: ReadonlyMap<number, Witness>,
): Map<number, Witness> {
  const irrigations = groupBy(done, (watering) => irrigationKey(watering) ?? watering.id);
  const witnesses = new Map<number, Witness>();

  for (const waterings of irrigations.values()) {
    const known = waterings.flatMap(({ id }) => own.get(id) ?? []);
    const kind = WITNESSES.find((each) => known.some((witness) => witness.kind === each));
    if (kind === undefined) continue;
    for (const { id } of waterings) {
      const witness = own.get(id);
      if (witness !== undefined) witnesses.set(id, { ...witness, kind });
    }
  }
  return witnesses;
}
