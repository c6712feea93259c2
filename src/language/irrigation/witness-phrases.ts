import type { UnseenReason, WitnessKind } from '../../domain/advice/witness/witness.ts';
import { capitalize } from '../../domain/text.ts';
import { englishCount } from '../en/grammar.ts';
import { nextCall } from '../next-calls.ts';

/** They follow an amount or a count: "28 mm assumed". */
const KINDS: Record<WitnessKind, string> = {
  confirmed: 'confirmed',
  probe: 'shown by the probe',
  assumed: 'assumed',
  unconfirmed: 'unconfirmed',
};

const UNSEEN: Record<UnseenReason, string> = {
  no_rise: 'its probe shows no rise',
  too_early: 'too early for its probe',
  no_readings: 'its probe has no readings from that time',
  no_probe: 'no probe measures its soil',
  rain: 'rain explains the rise',
  other_watering: 'a confirmed watering explains the rise',
};

/** Of a planned watering whose time is over, and that no schedule counts as done. */
export const AWAITS_CONFIRMATION = 'awaits confirmation';
export const AWAIT_CONFIRMATION = 'await confirmation';

export interface WitnessOfWatering {
  readonly witness: WitnessKind;
  readonly unseen?: UnseenReason | undefined;
}

/** Of a sum, by who saw its parts. */
export interface WitnessParts {
  readonly text: string;
  /** All is of one kind. */
  readonly isOneKind: boolean;
}

/** An irrigation that its own probe did not show takes the witness of another one. */
const OTHER_PROBE = 'shown by another probe';

const isByOther = ({ witness, unseen }: WitnessOfWatering): boolean =>
  witness === 'probe' && unseen !== undefined;

export const witnessPhrases = {
  kind: (watering: WitnessOfWatering) =>
    isByOther(watering) ? OTHER_PROBE : KINDS[watering.witness],
  /** Of a sum. */
  kindOf: (kind: WitnessKind, rows: readonly WitnessOfWatering[]) => {
    const ofKind = rows.filter(({ witness }) => witness === kind);
    return ofKind.length > 0 && ofKind.every(isByOther) ? OTHER_PROBE : KINDS[kind];
  },
  note: (watering: WitnessOfWatering | null) => {
    if (watering === null || watering.witness === 'confirmed') return '';
    const { witness, unseen } = watering;
    const reason = witness === 'assumed' && unseen !== undefined ? `: ${UNSEEN[unseen]}` : '';
    return ` (${witnessPhrases.kind(watering)}${reason})`;
  },
  ask: (parts: string) =>
    `${parts}: nobody saw those, so ask whether they ran${nextCall('correct_watering', 'status: done or skipped')}`,
  all: (isAmount: boolean, kind: string) => `all of ${isAmount ? 'it' : 'them'} ${kind}`,
  ofThat: ({ text, isOneKind }: WitnessParts) =>
    isOneKind ? `${capitalize(text)}.` : `Of that, ${text}.`,
  given: (mm: string | null, { text, isOneKind }: WitnessParts) => {
    if (mm === null) return isOneKind ? `${capitalize(text)}.` : `Of these, ${text}.`;
    return isOneKind ? `${mm} mm counted, ${text}.` : `Of the ${mm} mm counted, ${text}.`;
  },
  counted: (count: number, { text, isOneKind }: WitnessParts) => {
    const done = `${englishCount(count, 'watering')} done`;
    return isOneKind ? `${done}, ${text}.` : `Of the ${done}, ${text}.`;
  },
  showedNothing: (probe: string, count: number) =>
    `${probe} shows no rise after ${englishCount(count, 'watering')} that somebody saw: check its valve and its sensors.`,
};
