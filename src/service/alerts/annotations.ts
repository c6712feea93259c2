import {
  type AnnotationDrawing,
  type ChartType,
  lineHeightInUnit,
  updateContent,
} from '../../domain/alerts/annotation.ts';
import { movePoints } from '../../domain/alerts/annotation-points.ts';
import { lineFillOf, tensionFillOf, thresholdFillOf } from '../../domain/alerts/drawn-lines.ts';
import { areThresholdsCrossed } from '../../domain/moisture/agronomic-state.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { areLevelsCrossed } from '../../domain/moisture/tension/tension-state.ts';
import { exact } from '../../domain/text/figures.ts';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Call } from '../../operation/call.ts';
import type { AnnotationBody, annotationChange } from '../../schema/alerts/annotation.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import {
  type Annotation,
  addAnnotation,
  annotationById,
  annotationMapper,
  annotationsOn,
  changeAnnotation,
  heightOfNewestLine,
  newestLine,
  removeAnnotation,
} from '../../store/alerts/annotations.ts';
import type { Module } from '../../store/company/modules.ts';
import { loadSummarySeriesSource } from '../moisture/summary-series.ts';
import {
  ownershipError,
  requireCommissionedModule,
  requireOwnModule,
  requireUser,
} from '../ownership.ts';
import {
  type AnnotationEntry,
  assertValidDrawing,
  type HeightField,
  heightField,
  pointsOrThrow,
  readDrawing,
} from './annotation-entry.ts';
import { adviseOfAlertBelowStressPoint, currentThresholds } from './drawn-thresholds.ts';
import { linesBefore, syncLineAlerts } from './line-alerts.ts';
import { checkLine, isDrawnAgain, type SuggestedCapacity, settleDoubt } from './line-check.ts';

const annotationBodyOf = (annotation: Annotation): AnnotationBody => {
  const { id, module_id, ...drawing } = annotationMapper.toBodyByColumn(annotation);
  return { id, module_id, probe_id: null, ...drawing, ...annotation.content };
};

/** Oldest first: the newest `limit` drawings, and all lines of thresholds and levels. */
export async function listAnnotations(
  call: Call,
  moduleId: number,
  chartType: ChartType,
  limit?: number,
) {
  await requireCommissionedModule(call, moduleId);
  const all = await annotationsOn(call.db, moduleId, chartType);
  const firstListed = all.length - (limit ?? all.length);
  const listed = all.filter(
    (drawing, index) => index >= firstListed || lineFillOf(drawing) !== null,
  );
  if (listed.length < all.length)
    call.advise({ kind: 'older_drawings_omitted', count: all.length - listed.length });
  return { data: listed.map(annotationBodyOf) };
}

export async function createAnnotation(
  call: Call,
  moduleId: number,
  entry: AnnotationEntry,
  capacity: SuggestedCapacity,
): Promise<AnnotationBody> {
  const drawing = readDrawing(entry, call.now);
  const userId = requireUser(call, say`An annotation needs an author.`);
  const module = await requireCommissionedModule(call, moduleId);
  const before = await linesBefore(call, moduleId, { before: null, after: drawing });

  await assertLevelsInOrder(call, moduleId, drawing, heightField(entry));
  const { suggestedHeight, doubt } = await checkLine(call, module, drawing, capacity);
  const isConfirmed = doubt !== null && (await isDrawnAgain(call, moduleId, drawing));
  const check = { suggestedHeight, confirmedHeight: isConfirmed ? doubt.height : null };
  const added = { moduleId, drawing, check, userId, at: call.now };
  const annotation = await addAnnotation(call.db, added);
  await syncLineAlerts(call, moduleId, before, annotation.id);
  await adviseOfMissingSensor(call, module, drawing);
  await adviseOfThresholdProblems(call, module, annotation);
  await settleDoubt(call, annotation, annotationBodyOf(annotation), doubt);

  return annotationBodyOf(annotation);
}

async function adviseOfMissingSensor(
  call: Call,
  module: Module,
  drawing: AnnotationDrawing,
): Promise<void> {
  const isLevel = tensionFillOf(drawing) !== null;
  if (!isLevel && thresholdFillOf(drawing) === null) return;

  const source = await loadSummarySeriesSource(
    call.db,
    module.id,
    isLevel ? 'tensio' : 'humidity',
    call.now,
  );
  if (isLevel && (source.type !== 'tensio' || source.sensors.length === 0))
    call.advise({ kind: 'no_tension_for_drawing' });
  if (!isLevel && !isSoilMoisture(source, module)) call.advise({ kind: 'no_moisture_for_drawing' });
}

async function assertLevelsInOrder(
  call: Call,
  moduleId: number,
  drawing: AnnotationDrawing,
  field: HeightField,
): Promise<void> {
  const fill = tensionFillOf(drawing);
  if (fill === null) return;

  const height = lineHeightInUnit(drawing);
  const other = await heightOfNewestLine(call.db, moduleId, fill === 'wet' ? 'dry' : 'wet');
  if (other === null) return;
  const levels =
    fill === 'wet' ? { wetLevel: height, dryLevel: other } : { wetLevel: other, dryLevel: height };
  if (!areLevelsCrossed(levels)) return;

  throw invalidInputError(
    'invalid_body',
    say`The wet level must be below the dry level, because higher is drier: ${exact(levels.wetLevel, 'kPa')} is not below ${exact(levels.dryLevel, 'kPa')}.`,
    { hint: say`Check that wet and dry are not exchanged, or move the other line first.`, field },
  );
}

type AnnotationChange = FieldsOf<typeof annotationChange>;

export async function updateAnnotation(
  call: Call,
  id: string,
  change: AnnotationChange,
  capacity: SuggestedCapacity,
): Promise<AnnotationBody> {
  const stored = await requireOwnAnnotation(call, id);
  const { keepsUnsent, ...sent } = change;
  if (Object.values(sent).every((value) => value === undefined)) return annotationBodyOf(stored);

  const { style, text, content, ...placement } = sent;
  const changed = {
    ...stored,
    ...pointsOrThrow(stored.shape, movePoints(stored.shape, placement, stored, call.now)),
    content: updateContent(stored.content, { style, text, content, keepsUnsent }),
    updatedAt: call.now,
  };
  assertValidDrawing(changed, heightField(change));
  await assertLevelsInOrder(call, stored.moduleId, changed, heightField(change));

  const module = await requireOwnModule(call, stored.moduleId);
  const { suggestedHeight, doubt } = await checkLine(call, module, changed, capacity);
  const isPlaced = Object.values(placement).some((value) => value !== undefined);
  const isConfirmed = isPlaced && doubt?.height === lineHeightInUnit(stored);
  const annotation = {
    ...changed,
    suggestedHeight,
    confirmedHeight: isConfirmed ? doubt.height : stored.confirmedHeight,
  };

  const before = await linesBefore(call, stored.moduleId, { before: stored, after: annotation });
  await changeAnnotation(call.db, id, annotation, call.now);

  for (const part of ['style', 'text'] as const)
    if (stored.content[part] !== undefined && annotation.content[part] === undefined)
      call.advise({ kind: 'content_part_removed', part });

  await syncLineAlerts(call, stored.moduleId, before, id);
  await adviseOfThresholdProblems(call, module, annotation);
  if (isPlaced) await settleDoubt(call, annotation, annotationBodyOf(annotation), doubt);
  return annotationBodyOf(annotation);
}

async function adviseOfThresholdProblems(
  call: Call,
  module: Module,
  annotation: Annotation,
): Promise<void> {
  if (annotation.chartType !== 'humidity' || thresholdFillOf(annotation) === null) return;
  if (areThresholdsCrossed(await currentThresholds(call, module)))
    return call.advise({ kind: 'thresholds_crossed' });
  const newest = await newestLine(call.db, module.id, 'threshold2');
  if (newest?.id === annotation.id)
    await adviseOfAlertBelowStressPoint(call, module, lineHeightInUnit(annotation), true);
}

export async function deleteAnnotation(call: Call, id: string) {
  const annotation = await requireOwnAnnotation(call, id);
  const { moduleId } = annotation;
  const before = await linesBefore(call, moduleId, { before: annotation, after: null });

  await removeAnnotation(call.db, id);
  const disabledAlertId = await syncLineAlerts(call, moduleId, before, id);
  call.confirm({
    kind: 'deletion',
    annotation: annotationBodyOf(annotation),
    stopsAlert: disabledAlertId !== null,
  });

  return { success: true, disabledAlertId };
}

async function requireOwnAnnotation(call: Call, id: string): Promise<Annotation> {
  const annotation = await annotationById(call.db, id);
  if (annotation) return annotation;
  throw await ownershipError(call, 'annotations', id, {
    kind: say`annotation`,
    hint: say`See ids in ${operationName('list_annotations')}.`,
  });
}
