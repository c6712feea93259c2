import { DAY_MS } from '../../periods.ts';
import type { TurnDecision } from '../turn-decision.ts';
import { groupByShared } from './brief-lists.ts';
import { parcelWithSetup } from './differing-probes.ts';
import { checkBeforeWatering, type FarmProbe } from './farm-probe.ts';
import type { WateringNeed } from './needs.ts';
import { compareByNeed } from './water-need.ts';

/** The next turn for the driest probe of a setup that is in no doubt. */
export interface TurnOfValve {
  readonly probe: FarmProbe;
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

  return groupByShared(undoubted, parcelWithSetup)
    .flatMap((ofValve) => {
      const waiting = ofValve.flatMap((probe) => {
        const { advice } = probe;
        return advice?.turn === undefined ? [] : [{ probe, advice, turn: advice.turn }];
      });
      const [driest] = waiting.sort((a, b) => compareByNeed(a.advice, b.advice));
      return driest ?? [];
    })
    .filter(({ probe, turn }) => isToBeKnown(turn, inNeed.has(parcelOrProbe(probe)), now))
    .sort((a, b) => stressOf(a) - stressOf(b));
}

const parcelOrProbe = (probe: FarmProbe): string =>
  parcelWithSetup(probe) === null
    ? `module ${probe.module.id}`
    : `parcel ${parcelWithSetup(probe)}`;

const stressOf = ({ turn }: TurnOfValve): number => turn.stressAt ?? Number.MAX_SAFE_INTEGER;

/** Nobody asks each day about water that comes each day. */
const MIN_BETWEEN_MS = 1.5 * DAY_MS;

function isToBeKnown(turn: TurnDecision, isInNeed: boolean, now: number): boolean {
  const { verdict, isLate, isToday, orderBy, nextAt, followingAt } = turn;
  if (isLate) return true;
  if (verdict === 'unknown') return false;
  const isOrderedToday = orderBy !== null && orderBy < now + DAY_MS;
  const isRare = followingAt === null || followingAt - nextAt > MIN_BETWEEN_MS;
  if (verdict === 'take') return isOrderedToday || (isRare && isInNeed);
  return isRare && (isToday || isOrderedToday);
}
