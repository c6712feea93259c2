import { FORMER_MEMBER } from '../../domain/company/former-member.ts';
import type { LineDoubt } from '../../domain/moisture/line-limits.ts';
import { singleLine } from '../../domain/strings.ts';
import { moisture } from '../../domain/text/figures.ts';
import { nameOrNull, quotedName, say, verbatim } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import { timeOf } from '../../domain/text/times.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import type { Confirmation, UndoneChangeBody } from '../../schema/changes/change.ts';
import { describeDrawing } from '../alerts/drawing.ts';
import { languageOf } from '../index.ts';
import { moduleName, type PersonContext } from '../summary-context.ts';
import { describeSubjects, reversedEffects } from './change-effects.ts';
import { withSubjects } from './change-summary.ts';

/** The question to the person before something is deleted, undone, or drawn in doubt. */
export function confirmationQuestion(
  confirmation: Confirmation,
  context: PersonContext,
): Promise<Text> {
  switch (confirmation.kind) {
    case 'undo':
      return askUndo(confirmation.undone, context);
    case 'deletion':
      return askDeletion(confirmation, context);
    case 'line':
      return askLine(confirmation, context);
  }
}

const probeOf = async (
  { module_id }: AnnotationBody,
  { directory }: PersonContext,
): Promise<Name> => verbatim(await moduleName(directory, module_id));

async function askLine(
  { annotation, doubt }: { readonly annotation: AnnotationBody; readonly doubt: LineDoubt },
  context: PersonContext,
): Promise<Text> {
  const { lang } = context;
  return languageOf(lang).questions.askLine({
    chart: annotation.chart_type,
    name: await probeOf(annotation, context),
    drawing: describeDrawing(annotation, lang),
    expected: moisture(doubt.expected, '%'),
    isLimit: doubt.basis === 'saturation',
  });
}

async function askUndo(undone: UndoneChangeBody, context: PersonContext): Promise<Text> {
  const phrases = languageOf(context.lang).questions;
  const effects = reversedEffects(undone).map(({ kind, action, count }) =>
    phrases.effect(kind, action, count),
  );
  return phrases.askUndo({
    when: timeOf(undone.at),
    who: undone.userName === FORMER_MEMBER ? phrases.formerMember : nameOrNull(undone.userName),
    surface: undone.surface,
    effects: withSubjects(effects, await describeSubjects(undone, context)),
  });
}

async function askDeletion(
  { annotation, stopsAlert }: { readonly annotation: AnnotationBody; readonly stopsAlert: boolean },
  context: PersonContext,
): Promise<Text> {
  const { lang } = context;
  const drawing = describeDrawing(annotation, lang);
  const text = singleLine(annotation.content.text);
  return languageOf(lang).questions.askDeletion({
    chart: annotation.chart_type,
    name: await probeOf(annotation, context),
    drawing: text === '' ? drawing : say`${drawing}, ${quotedName(text)}`,
    stopsAlert,
  });
}
