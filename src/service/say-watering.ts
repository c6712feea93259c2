import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant, saySpan } from '../operation/say-time.ts';
import type { WateringAnswer, WateringBody } from '../schema/watering.ts';

/** An amount as a person says it: one decimal, two below 1, no idle zeros. */
export const sayAmount = (value: number): string => String(Number(value.toFixed(Math.abs(value) < 1 ? 2 : 1)));

/** The wetted fraction, the flow and the like, with as many decimals as they have. */
export const sayFigure = (value: number): string => String(Number(value.toPrecision(6)));

const SYSTEMS: Record<string, string> = {
  drip: 'drip',
  micro_sprinkler: 'micro-sprinkler',
  sprinkler: 'sprinkler',
  pivot: 'pivot',
  gravity: 'gravity irrigation',
  manual: 'manual watering',
  other: 'other equipment',
};

export const saySystem = (system: string): string => SYSTEMS[system] ?? system;

function sayInput(event: WateringBody): string {
  const system = event.configSnapshot?.system;
  const by = system ? ` of ${saySystem(system)}` : ' of watering';
  switch (event.inputMode) {
    case 'duration':
      return `${event.durationMin} min${by}`;
    case 'depth_mm':
      return `${sayFigure(event.inputDepthMm!)} mm${by}`;
    case 'volume_m3':
      return `${sayFigure(event.inputVolumeM3!)} m3${by}`;
  }
}

const when = (event: WateringBody, { now, zone }: Saying): string =>
  saySpan(Date.parse(event.startedAt), event.endedAt === null ? null : Date.parse(event.endedAt), zone, now);

export const sayDose = (event: WateringBody): string =>
  event.waterMm === null
    ? 'no dose yet'
    : `${sayAmount(event.waterMm)} mm over the whole area${event.waterMmWetted === null ? '' : `, ${sayAmount(event.waterMmWetted)} mm in the wetted zone`}`;

const VERBS: Record<string, string> = { done: 'Logged', planned: 'Planned', skipped: 'Noted as skipped:' };

function sayWarnings({ event, warnings }: WateringAnswer, name: string): string[] {
  const words: Record<string, () => string> = {
    NO_INSTALLATION: () =>
      `No setup of ${name} covers that date, so the ${event.waterMm === null ? 'dose' : 'dose in the wetted zone'} is missing: declare what was there with set_module_installation, effectiveFrom on or before it, and it is completed by itself.`,
    MISSING_FLOW_RATE: () =>
      'The equipment has no flow rate, so minutes give no mm: ask for it and add it with correct_installation.',
    MISSING_IRRIGATED_AREA: () =>
      'The equipment has no irrigated area, so m3 give no mm: ask for it and add it with correct_installation.',
    DEFAULT_FRACTION_WETTED: () =>
      `The wetted fraction ${sayFigure(event.configSnapshot!.fractionWetted!)} is the default for ${saySystem(event.configSnapshot!.system!)}.`,
  };
  return warnings.map((warning) => words[warning]!());
}

/** What was written, fit to be read aloud. `verb` replaces the status's own for a correction. */
export async function sayWatering(answer: WateringAnswer, call: Saying, verb?: string): Promise<string> {
  const { event } = answer;
  const name = await moduleName(call.directory, event.moduleId);
  const sentence = `${verb ?? VERBS[event.status]} ${sayInput(event)} on ${name}, ${when(event, call)} (${call.zone}): ${sayDose(event)}.`;
  return [sentence, ...sayWarnings(answer, name), ...call.remarks].join(' ');
}

/** The correction of a watering, with its state when that is not done. */
export const sayCorrection = (answer: WateringAnswer, call: Saying): Promise<string> =>
  sayWatering(answer, call, `Watering ${answer.event.id} is now ${answer.event.status}:`);

/** A page of the book: how many there are, the newest, and how to read on. */
export async function sayWaterings(
  { data, next_cursor }: { data: WateringBody[]; next_cursor: string | null },
  call: Saying,
): Promise<string> {
  const newest = data[0];
  if (!newest) return ['No watering matches.', ...call.remarks].join(' ');
  const name = await moduleName(call.directory, newest.moduleId);
  const at = sayInstant(Date.parse(newest.startedAt), call.zone, call.now);
  const shown = `${data.length} watering${data.length === 1 ? '' : 's'} shown, newest first: ${at} (${call.zone}) on ${name}, ${sayDose(newest)}${newest.status === 'done' ? '' : ` (${newest.status})`}.`;
  const more = next_cursor === null ? [] : ['More follow: pass next_cursor as cursor.'];
  return [shown, ...call.remarks, ...more].join(' ');
}
