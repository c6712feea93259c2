import {
  type AnnotationContent,
  type AnnotationDrawing,
  type AnnotationPoint,
  type AnnotationShape,
  type AnnotationUnit,
  type ChartType,
  type DrawingFault,
  findDrawingFault,
  omitAbsentContent,
  resolveAnnotationUnit,
  thresholdFillOf,
  updateContent,
} from '../../domain/alerts/annotation.ts';
import type { Call } from '../../operation/call.ts';
import type { AnnotationBody } from '../../schema/annotation.ts';
import { invalidInput } from '../../schema/error.ts';
import {
  type Annotation,
  addAnnotation,
  annotationById,
  annotationsOn,
  changeAnnotation,
  removeAnnotation,
} from '../../store/alerts/annotations.ts';
import { moduleById, sensorsOf } from '../../store/company/places.ts';
import { commissionedModule, ownershipError } from '../ownership.ts';
import { toIso } from '../wire-format.ts';
import { syncLineAlerts, wiltingPointLines } from './line-alerts.ts';

const annotationBodyOf = (drawn: Annotation): AnnotationBody => ({
  id: drawn.id,
  module_id: drawn.moduleId,
  probe_id: null,
  chart_type: drawn.chartType,
  type: drawn.shape,
  p1: [...drawn.p1],
  p2: drawn.p2 && [...drawn.p2],
  unit: drawn.unit,
  content: drawn.content,
  user_id: String(drawn.userId),
  created_at: toIso(drawn.createdAt),
  updated_at: toIso(drawn.updatedAt),
  ...drawn.content,
});

/** The drawings of a curve, oldest first: the newest so many, and the threshold lines whatever their age. */
export async function listAnnotations(call: Call, moduleId: number, chartType: ChartType, limit?: number) {
  await commissionedModule(call, moduleId);
  const all = await annotationsOn(call.db, moduleId, chartType);
  const older = all.length - (limit ?? all.length);
  const shown = all.filter((each, place) => place >= older || thresholdFillOf(each) !== null);
  if (shown.length < all.length) call.note({ kind: 'older_drawings_omitted', count: all.length - shown.length });
  return { data: shown.map(annotationBodyOf) };
}

export interface AnnotationEntry extends AnnotationContent {
  readonly chartType: ChartType;
  readonly type: AnnotationShape;
  readonly unit?: AnnotationUnit | null | undefined;
  readonly p1: AnnotationPoint;
  readonly p2?: AnnotationPoint | null | undefined;
}

export async function createAnnotation(call: Call, moduleId: number, entry: AnnotationEntry): Promise<AnnotationBody> {
  const drawing = readDrawing(entry);
  const userId = authorOf(call);
  await commissionedModule(call, moduleId);
  const before = await wiltingPointLines(call, moduleId);
  await noteMissingSoilMoisture(call, moduleId, drawing);
  const drawn = await addAnnotation(call.db, { moduleId, drawing, userId, at: call.now });
  await syncLineAlerts(call, moduleId, before, drawn.id);
  return annotationBodyOf(drawn);
}

/** A wilting point needs soil moisture to be held against. */
async function noteMissingSoilMoisture(call: Call, moduleId: number, drawing: AnnotationDrawing): Promise<void> {
  if (thresholdFillOf(drawing) === null) return;
  const module = (await moduleById(call.db, moduleId))!;
  const isOfSoil = (await sensorsOf(call.db, [moduleId])).some(({ type }) => type === 'humidity');
  if (!isOfSoil || module.category === 'WEATHER_STATION') call.note({ kind: 'no_moisture_for_drawing' });
}

function readDrawing({ chartType, type, unit: requestedUnit, p1, p2, ...content }: AnnotationEntry): AnnotationDrawing {
  const read = resolveAnnotationUnit(chartType, requestedUnit);
  if ('refusal' in read)
    throw invalidInput('invalid_body', `The ${chartType} curve has no unit, and ${requestedUnit} was given.`, {
      hint: 'Leave unit out: only drawings on humidity and humidity-detail carry one.',
      field: 'unit',
    });
  const drawing = { chartType, shape: type, unit: read.unit, p1, p2: p2 ?? null, content: omitAbsentContent(content) };
  refuseInvalidDrawing(drawing);
  return drawing;
}

function authorOf({ caller }: Call): number {
  if (caller.userId !== null) return caller.userId;
  throw invalidInput('no_user', 'This key stands for no user, and an annotation needs an author.', {
    status: 403,
    hint: 'Use a key of a member of the company; list_users names them.',
  });
}

export interface AnnotationChange extends AnnotationContent {
  readonly p1?: AnnotationPoint | undefined;
  readonly p2?: AnnotationPoint | null | undefined;
  readonly content?: AnnotationContent | undefined;
}

export async function updateAnnotation(call: Call, id: string, sent: AnnotationChange): Promise<AnnotationBody> {
  const stored = await ownAnnotation(call, id);
  if (Object.values(sent).every((value) => value === undefined)) return annotationBodyOf(stored);
  const { p1 = stored.p1, p2 = stored.p2, ...parts } = sent;
  const drawn = { ...stored, p1, p2, content: updateContent(stored.content, parts), updatedAt: call.now };
  refuseInvalidDrawing(drawn);
  const before = await wiltingPointLines(call, stored.moduleId);
  await changeAnnotation(call.db, id, drawn, call.now);
  for (const part of ['style', 'text'] as const)
    if (stored.content[part] !== undefined && drawn.content[part] === undefined)
      call.note({ kind: 'content_part_removed', part });
  await syncLineAlerts(call, stored.moduleId, before, id);
  return annotationBodyOf(drawn);
}

export async function deleteAnnotation(call: Call, id: string) {
  const { moduleId } = await ownAnnotation(call, id);
  const before = await wiltingPointLines(call, moduleId);
  await removeAnnotation(call.db, id);
  return { success: true, disabledAlertId: await syncLineAlerts(call, moduleId, before, id) };
}

async function ownAnnotation(call: Call, id: string): Promise<Annotation> {
  const found = await annotationById(call.db, id);
  if (found) return found;
  throw await ownershipError(call, 'annotations', id, 'annotation', 'See ids in list_annotations.');
}

/** Refuses a drawing that cannot stand, before anything is written. */
function refuseInvalidDrawing(drawing: AnnotationDrawing): void {
  const fault = findDrawingFault(drawing);
  if (fault) throw DRAWING_REFUSALS[fault](drawing);
}

const DRAWING_REFUSALS: Record<DrawingFault, (drawing: AnnotationDrawing) => Error> = {
  second_point_missing: ({ shape }) =>
    invalidInput('invalid_body', `A ${shape} needs a second point.`, {
      hint: 'Give p2 as [instant in ms since 1970 UTC, value].',
      field: 'p2',
    }),
  threshold_unit: ({ unit, chartType }) =>
    invalidInput(
      'THRESHOLD_REQUIRES_VWC',
      `A threshold is a line in vwc, and this drawing ${unit === null ? `on the ${chartType} curve has no unit` : `is in ${unit}`}.`,
      { hint: 'Draw a new h-line on the humidity curve with unit vwc: a unit never changes.', field: 'style' },
    ),
  threshold_shape: ({ shape }) =>
    invalidInput('invalid_body', `A threshold is an h-line, and this drawing is a ${shape}.`, {
      hint: 'Draw a new h-line with that style, or give another fill: a shape never changes.',
      field: 'style',
    }),
  threshold_height: ({ p1 }) =>
    invalidInput('invalid_body', `A threshold lies at 0 to 100 % volumetric water content, not at ${p1[1]}.`, {
      hint: 'Give the value of p1 in %, such as 14.',
      field: 'p1',
    }),
};
