import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant, saySpan } from '../operation/say-time.ts';
import type { WateringAnswer, WateringBody } from '../schema/watering.ts';
import { sayAmount, sayFigure, sayNumber } from './say-figures.ts';
import { sayMore } from './say-lists.ts';
import type { SaidWatering, WateringWords } from './watering-words.ts';
import { englishWaterings } from './watering-words-en.ts';
import { frenchWaterings } from './watering-words-fr.ts';

const WORDS: Record<Lang, WateringWords> = { en: englishWaterings, fr: frenchWaterings };

export const wateringWords = ({ lang }: Pick<Saying, 'lang'>): WateringWords => WORDS[lang];

/** A system of irrigation in a word or two. */
export const saySystem = (system: string, call: Pick<Saying, 'lang'>): string => wateringWords(call).system(system);

function sayInput(event: WateringBody, call: Saying): string {
  const { given } = wateringWords(call);
  const code = event.configSnapshot?.system;
  const system = code ? saySystem(code, call) : null;
  switch (event.inputMode) {
    case 'duration':
      return given(`${sayNumber(event.durationMin!, call.lang)} min`, system);
    case 'depth_mm':
      return given(`${sayFigure(event.inputDepthMm!, call.lang)} mm`, system);
    case 'volume_m3':
      return given(`${sayFigure(event.inputVolumeM3!, call.lang)} m3`, system);
  }
}

function sayWhen({ startedAt, endedAt }: WateringBody, { now, zone, lang }: Saying): string {
  return `${saySpan(Date.parse(startedAt), endedAt === null ? null : Date.parse(endedAt), zone, now, lang)} (${zone})`;
}

export function sayDose({ waterMm, waterMmWetted }: WateringBody, call: Pick<Saying, 'lang'>): string {
  const { dose, noDose } = wateringWords(call);
  if (waterMm === null) return noDose;
  return dose(sayAmount(waterMm, call.lang), waterMmWetted === null ? null : sayAmount(waterMmWetted, call.lang));
}

function sayWarnings({ event, warnings }: WateringAnswer, name: string, call: Saying): string[] {
  const { system, fractionWetted } = event.configSnapshot ?? {};
  const said = {
    name,
    isPartial: event.waterMm !== null,
    system: system ? saySystem(system, call) : '',
    fractionWetted: fractionWetted == null ? '' : sayFigure(fractionWetted, call.lang),
  };
  return warnings.map((warning) => wateringWords(call).warnings[warning](said));
}

/** What was written in one sentence of `sentence`, and what a person should hear beside it. */
async function sayAnswer(
  answer: WateringAnswer,
  call: Saying,
  sentence: (watering: SaidWatering) => string,
): Promise<string> {
  const { event } = answer;
  const name = await moduleName(call.directory, event.moduleId);
  const said = { given: sayInput(event, call), name, when: sayWhen(event, call), dose: sayDose(event, call) };
  return [sentence(said), ...sayWarnings(answer, name, call), ...call.remarks].join(' ');
}

/** What was written, fit to be read aloud. */
export const sayWatering = (answer: WateringAnswer, call: Saying): Promise<string> =>
  sayAnswer(answer, call, (said) => wateringWords(call).written(said, answer.event.status));

/** The correction of a watering, with its state. */
export const sayCorrection = (answer: WateringAnswer, call: Saying): Promise<string> =>
  sayAnswer(answer, call, (said) => wateringWords(call).corrected(said, answer.event.status, answer.event.id));

/** A page of the book: how many there are, the newest, and how to read on. */
export async function sayWaterings(
  page: { data: WateringBody[]; next_cursor: string | null },
  call: Saying,
): Promise<string> {
  const words = wateringWords(call);
  const newest = page.data[0];
  if (!newest) return [words.noneMatches, ...call.remarks].join(' ');
  const name = await moduleName(call.directory, newest.moduleId);
  const when = `${sayInstant(Date.parse(newest.startedAt), call.zone, call.now, call.lang)} (${call.zone})`;
  const shown = words.page(page.data.length, { when, name, dose: sayDose(newest, call), status: newest.status });
  return [shown, ...call.remarks, ...sayMore(page, call.lang)].join(' ');
}

/** What completing the doses of a probe has come to. */
export async function sayRecomputed(
  {
    completed,
    missingDoses: { count },
    byReason,
  }: { completed: number; missingDoses: { count: number }; byReason: Record<string, number | undefined> },
  call: Saying,
  { moduleId }: { moduleId: number },
): Promise<string> {
  const name = await moduleName(call.directory, moduleId);
  const reasons = Object.entries(byReason).map(([reason, each]) => [reason, each ?? 0] as const);
  return [wateringWords(call).recomputed(name, completed, count, reasons), ...call.remarks].join(' ');
}
