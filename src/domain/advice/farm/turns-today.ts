import { groupBy } from '../../groups.ts';
import { firstOf } from '../../items.ts';
import { DAY_MS } from '../../periods.ts';
import { comesRarely, type TurnDecision } from '../turn-decision.ts';
import { groupByShared } from './brief-lists.ts';
import { parcelWithSetup } from './differing-probes.ts';
import { checkBeforeWatering, type FarmProbe } from './farm-probe.ts';
import type { WateringNeed } from './needs.ts';
import { compareByNeed } from './water-need.ts';

/** The next turn for the driest probe that is in no doubt, of those with one setup and its turns. */
export interface TurnOfValve {
  readonly probe: FarmProbe;
  /** Null where a probe of the parcel has other turns, or a setup of its own. */
  readonly parcelId: number | null;
  readonly turn: TurnDecision;
}

/**
 * Turns of which a person has to know today: that they are to be taken or come too late, are to be
 * ordered, can be skipped, or would drain. Soonest stress first.
 */
export function turnsToday(
  probes: readonly FarmProbe[],
  needs: readonly WateringNeed[],
  now: number,
): TurnOfValve[] {
  const inNeed = new Set(needs.flatMap(({ dry }) => dry.map(({ probe }) => parcelOrProbe(probe))));
  const undoubted = probes.filter((probe) => checkBeforeWatering(probe, true) === null);

  const waiting = undoubted.flatMap((probe) => {
    const { advice } = probe;
    return advice?.turn === undefined ? [] : [{ probe, advice, turn: advice.turn }];
  });
  const valves = groupByShared(waiting, ({ probe }) => keyOfTurns(probe));
  const ofParcel = groupBy(valves, ([{ probe }]) => parcelWithSetup(probe));

  return valves
    .map((ofValve) => firstOf(ofValve.sort((a, b) => compareByNeed(a.advice, b.advice))))
    .map(({ probe, turn }) => {
      const parcelId = parcelWithSetup(probe);
      return { probe, turn, parcelId: ofParcel.get(parcelId)?.length === 1 ? parcelId : null };
    })
    .filter(({ probe, turn }) => isTurnToBeKnown(turn, inNeed.has(parcelOrProbe(probe)), now))
    .sort((a, b) => stressOf(a) - stressOf(b));
}

/** Probes of one setup may have water times of their own. */
function keyOfTurns(probe: FarmProbe): string | null {
  const parcelId = parcelWithSetup(probe);
  if (parcelId === null) return null;
  return `${parcelId} ${JSON.stringify(probe.setup?.settings?.waterTimes)}`;
}

const parcelOrProbe = (probe: FarmProbe): string =>
  parcelWithSetup(probe) === null
    ? `module ${probe.module.id}`
    : `parcel ${parcelWithSetup(probe)}`;

const stressOf = ({ turn }: TurnOfValve): number => turn.stressAt ?? Number.MAX_SAFE_INTEGER;

/** `isInNeed` if water is due today. */
export function isTurnToBeKnown(turn: TurnDecision, isInNeed: boolean, now: number): boolean {
  const { verdict, isLate, isToday, orderBy } = turn;
  if (isLate) return true;
  if (verdict === 'unknown') return false;
  const isOrderedToday = orderBy !== null && orderBy < now + DAY_MS;
  const isRare = comesRarely(turn);
  if (verdict === 'take') return isOrderedToday || (isRare && isInNeed);
  return isRare && (isToday || isOrderedToday);
}
