import { englishCount } from '../domain/english.ts';
import type { WateringStatus } from '../schema/watering.ts';
import type { WateringFacts, WateringPhrases } from './watering-words.ts';

const SYSTEM_NAMES: Record<string, string> = {
  drip: 'drip',
  micro_sprinkler: 'micro-sprinkler',
  sprinkler: 'sprinkler',
  pivot: 'pivot',
  gravity: 'gravity irrigation',
  manual: 'manual watering',
  other: 'other equipment',
};

const LOGGED_AS: Record<WateringStatus, string> = { done: 'Logged', planned: 'Planned', skipped: 'Noted as skipped:' };

const wateringDetails = ({ amount, name, when, dose }: WateringFacts): string =>
  `${amount} on ${name}, ${when}: ${dose}.`;

export const englishWatering: WateringPhrases = {
  amountOfSystem: (amount, system) => `${amount} of ${system ?? 'watering'}`,
  system: (code) => SYSTEM_NAMES[code] ?? code,
  noDose: 'no dose yet',
  dose: (whole, wetted) =>
    `${whole} mm over the whole area${wetted === null ? '' : `, ${wetted} mm in the wetted zone`}`,
  logged: (watering, status) => `${LOGGED_AS[status]} ${wateringDetails(watering)}`,
  corrected: (watering, status, id) => `Watering ${id} is now ${status}: ${wateringDetails(watering)}`,
  warnings: {
    NO_INSTALLATION: ({ name, isPartial }) =>
      `No setup of ${name} covers that date, so the ${isPartial ? 'dose in the wetted zone' : 'dose'} is missing: declare what was there with set_module_installation, effectiveFrom on or before it, and it is completed by itself.`,
    MISSING_FLOW_RATE: () =>
      'The equipment has no flow rate, so minutes give no mm: ask for it and add it with correct_installation.',
    MISSING_IRRIGATED_AREA: () =>
      'The equipment has no irrigated area, so m3 give no mm: ask for it and add it with correct_installation.',
    DEFAULT_FRACTION_WETTED: ({ fractionWetted, system }) =>
      `The wetted fraction ${fractionWetted} is the default for ${system}.`,
  },
  noMatch: 'No watering matches.',
  page: (count, { when, name, dose, status }) =>
    `${englishCount(count, 'watering')} shown, newest first: ${when} on ${name}, ${dose}${status === 'done' ? '' : ` (${status})`}.`,
  counts: (total, byStatus) =>
    `${total} in all: ${byStatus.map(([status, count]) => `${count} ${status}`).join(', ')}.`,
  loggedDuplicate: (id, twinId) =>
    `This is watering ${id}; watering ${twinId} of the same probe starts at the same minute. If both are the same one, take ${id} back with correct_watering and status skipped.`,
  correctedDuplicate: (twinId) => `Watering ${twinId} of the same probe starts at the same minute.`,
  toConfirm: 'It no longer counts as done by itself: confirm it with status done once it has run.',
  previousDose: (mm, isOtherEquipment) =>
    `The dose before was ${mm === null ? 'unknown' : `${mm} mm`}.${isOtherEquipment ? ' Other equipment was in force at that time than the row had.' : ''}`,
  recomputeResult: (name, completed, missing, byReason) =>
    `${englishCount(completed, 'dose')} completed on ${name}; ${missing} still missing${missing === 0 ? '' : ` (${byReason.map(([reason, count]) => `${count} ${reason}`).join(', ')})`}.`,
};
