import {
  type UnseenReason,
  WITNESSES,
  type WitnessKind,
} from '../../domain/advice/witness/witness.ts';
import { roundedParts } from '../../domain/decimal.ts';
import { itemAt } from '../../domain/items.ts';
import { amount, roundedTo } from '../../domain/text/figures.ts';
import { call, capitalized, commaSeparated, counted, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { WateringTotalsBody } from '../../schema/irrigation/watering.ts';
import { decimalsOfAmount, sensibleAmount } from '../number-format.ts';

type WitnessRow = NonNullable<WateringTotalsBody['witness']>[number];

interface WitnessOfWatering {
  readonly witness: WitnessKind;
  readonly unseen?: UnseenReason | undefined;
}

/** The parts of a sum, by who saw them. */
interface WitnessParts {
  readonly text: Text;
  /** All is of one kind. */
  readonly isOneKind: boolean;
}

/** They follow an amount or a count: "28 mm assumed". */
const KINDS: Record<WitnessKind, Text> = {
  confirmed: say`confirmed`,
  probe: say`shown by the probe`,
  assumed: say`assumed`,
  unconfirmed: say`unconfirmed`,
};

/** An irrigation that its own probe did not show takes the witness of another one. */
const OTHER_PROBE = say`shown by another probe`;

const UNSEEN: Record<UnseenReason, Text> = {
  no_rise: say`its probe shows no rise`,
  too_early: say`too early for its probe`,
  no_readings: say`its probe has no readings from that time`,
  no_probe: say`no probe measures its soil`,
  rain: say`rain explains the rise`,
  other_watering: say`a confirmed watering explains the rise`,
};

/** For a planned watering whose time is over, and that no schedule counts as done. */
export const AWAITS_CONFIRMATION = say`awaits confirmation`;
export const AWAIT_CONFIRMATION = say`await confirmation`;

const isByOther = ({ witness, unseen }: WitnessOfWatering): boolean =>
  witness === 'probe' && unseen !== undefined;

export const witnessWords = (watering: WitnessOfWatering): Text =>
  isByOther(watering) ? OTHER_PROBE : KINDS[watering.witness];

/** " (assumed: too early for its probe)"; null for one that somebody confirmed. */
export function witnessNote(watering: WitnessOfWatering): Text | null {
  const { witness, unseen } = watering;
  if (witness === 'confirmed') return null;
  const reason = witness === 'assumed' && unseen !== undefined ? say`: ${UNSEEN[unseen]}` : null;
  return say` (${witnessWords(watering)}${reason})`;
}

/** The waterings of one probe, by who saw them. */
export const sumByWitness = (
  waterings: readonly { readonly witness: WitnessKind; readonly waterMm: number | null }[],
): WitnessRow[] =>
  WITNESSES.map((witness) => {
    const seen = waterings.filter((watering) => watering.witness === witness);
    const waterMm = seen.reduce((sum, watering) => sum + (watering.waterMm ?? 0), 0);
    return { witness, waterings: seen.length, waterMm };
  }).filter(({ waterings }) => waterings > 0);

/** "40 mm confirmed, 28 mm assumed", and a question; null where persons confirmed all. */
export function describeWitnesses(
  rows: readonly WitnessRow[],
  totalMm: number | null,
  waterings: readonly WitnessOfWatering[],
): WitnessParts | null {
  const parts = listWitnesses(rows, totalMm, waterings);
  if (parts === null) return null;

  const isOneKind = rows.length === 1;
  const isAsked = rows.some(({ witness }) => witness === 'assumed');
  if (!isAsked) return { text: parts, isOneKind };
  return {
    text: say`${parts}: nobody saw those, so ask whether they ran${call('correct_watering', 'status: done or skipped')}`,
    isOneKind,
  };
}

/** Null where persons confirmed all. `waterings` are those of the sums, or some of them. */
export function listWitnesses(
  rows: readonly WitnessRow[],
  totalMm: number | null,
  waterings: readonly WitnessOfWatering[],
): Text | null {
  if (rows.every(({ witness }) => witness === 'confirmed')) return null;

  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0)
    return say`all of ${totalMm === null ? say`them` : say`it`} ${kindOf(only.witness, waterings)}`;

  const amounts = totalMm === null ? null : amountsOf(rows, totalMm);
  const parts = rows.map(({ witness, waterings: count, waterMm }, index) => {
    const quantity =
      amounts === null ? count : roundedTo(itemAt(amounts, index), waterMm ?? 0, 'mm');
    return say`${quantity} ${kindOf(witness, waterings)}`;
  });
  return commaSeparated(parts);
}

/** The kind of a part of a sum. */
function kindOf(kind: WitnessKind, waterings: readonly WitnessOfWatering[]): Text {
  const ofKind = waterings.filter(({ witness }) => witness === kind);
  return ofKind.length > 0 && ofKind.every(isByOther) ? OTHER_PROBE : KINDS[kind];
}

/** They add up to the total as it is shown. */
function amountsOf(rows: readonly WitnessRow[], totalMm: number): number[] {
  const parts = rows.map(({ waterMm }) => waterMm ?? 0);
  return roundedParts(parts, sensibleAmount(totalMm), decimalsOfAmount(totalMm));
}

/** After a sentence with the sum. */
export const describeWitnessesOfThat = ({ text, isOneKind }: WitnessParts): Text =>
  isOneKind ? say`${capitalized(text)}.` : say`Of that, ${text}.`;

export function describeWitnessesOfSum(
  totalMm: number | null,
  { text, isOneKind }: WitnessParts,
): Text {
  if (totalMm === null) return isOneKind ? say`${capitalized(text)}.` : say`Of these, ${text}.`;
  const sum = say`${amount(totalMm, 'mm')} counted`;
  return isOneKind ? say`${sum}, ${text}.` : say`Of the ${sum}, ${text}.`;
}

export function describeWitnessesOfCount(count: number, { text, isOneKind }: WitnessParts): Text {
  const done = say`${counted(count, 'watering')} done`;
  return isOneKind ? say`${done}, ${text}.` : say`Of the ${done}, ${text}.`;
}

export const describeNoRise = (probe: Text, count: number): Text =>
  say`${probe} shows no rise after ${counted(count, 'watering')} that somebody saw: check its valve and its sensors.`;
