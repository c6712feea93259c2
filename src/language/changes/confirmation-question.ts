import type { LineDoubt } from '../../domain/moisture/line-limits.ts';
import { nameInSentence, quote, singleLine } from '../../domain/text.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import type { Confirmation, UndoneChangeBody } from '../../schema/changes/change.ts';
import { describeDrawing } from '../alerts/drawing.ts';
import { languageOf } from '../index.ts';
import { formatMoisture } from '../number-format.ts';
import { moduleName, type PersonContext } from '../summary-context.ts';
import { inMetric } from '../text/render.ts';
import { formatTime } from '../time.ts';
import { describeSubjects, reversedEffects } from './change-effects.ts';

/** The question to the person before something is deleted, undone, or drawn in doubt. */
export function confirmationQuestion(
  confirmation: Confirmation,
  context: PersonContext,
): Promise<string> {
  switch (confirmation.kind) {
    case 'undo':
      return askUndo(confirmation.undone, context);
    case 'deletion':
      return askDeletion(confirmation, context);
    case 'line':
      return askLine(confirmation, context);
  }
}

async function askLine(
  { annotation, doubt }: { readonly annotation: AnnotationBody; readonly doubt: LineDoubt },
  context: PersonContext,
): Promise<string> {
  return languageOf(context.lang).questions.askLine({
    chart: annotation.chart_type,
    name: await moduleName(context.directory, annotation.module_id),
    drawing: describeDrawing(annotation, context),
    expected: formatMoisture(doubt.expected, context.lang),
    isLimit: doubt.basis === 'saturation',
  });
}

async function askUndo(undone: UndoneChangeBody, context: PersonContext): Promise<string> {
  const phrases = languageOf(context.lang).questions;
  const effects = reversedEffects(undone).map(({ kind, action, count }) =>
    phrases.effect(kind, action, count),
  );
  const subjects = await describeSubjects(undone, context);
  return phrases.askUndo({
    when: formatTime(undone.at, context),
    who: undone.userName === null ? null : nameInSentence(undone.userName),
    surface: undone.surface,
    effects: phrases.withNames(
      effects,
      subjects.map((subject) => inMetric(subject, context)),
    ),
  });
}

async function askDeletion(
  { annotation, stopsAlert }: { readonly annotation: AnnotationBody; readonly stopsAlert: boolean },
  context: PersonContext,
): Promise<string> {
  const text = singleLine(annotation.content.text);
  const drawing = describeDrawing(annotation, context);
  return languageOf(context.lang).questions.askDeletion({
    chart: annotation.chart_type,
    name: await moduleName(context.directory, annotation.module_id),
    drawing: text === '' ? drawing : `${drawing}, ${quote(text)}`,
    stopsAlert,
  });
}
