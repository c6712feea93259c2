import {
  type ChartType,
  type Content,
  contentAfter,
  type Drawing,
  type DrawingFault,
  faultOf,
  type HeightUnit,
  type Point,
  present,
  type Shape,
  thresholdOf,
  unitOf,
} from '../domain/annotation.ts';
import type { Call } from '../operation/call.ts';
import type { AnnotationBody } from '../schema/annotation.ts';
import { refuse } from '../schema/error.ts';
import {
  type Annotation,
  addAnnotation,
  annotationById,
  annotationsOn,
  changeAnnotation,
  removeAnnotation,
} from '../store/annotations.ts';
import { moduleById, sensorsOf } from '../store/modules.ts';
import { followLines, wiltingPointLines } from './line-alerts.ts';
import { commissionedModule } from './modules.ts';
import { notOurs } from './ownership.ts';
import { annotationWords } from './say-annotation.ts';
import { isoOf } from './wire.ts';

const bodyOf = (drawn: Annotation): AnnotationBody => ({
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
  created_at: isoOf(drawn.createdAt),
  updated_at: isoOf(drawn.updatedAt),
  ...drawn.content,
});

/** The drawings of a curve, oldest first: the newest so many, and the threshold lines whatever their age. */
export async function listAnnotations(call: Call, moduleId: number, chartType: ChartType, limit?: number) {
  await commissionedModule(call, moduleId);
  const all = await annotationsOn(call.db, moduleId, chartType);
  const older = all.length - (limit ?? all.length);
  const shown = all.filter((each, place) => place >= older || thresholdOf(each) !== null);
  if (shown.length < all.length) call.remark(annotationWords(call).leftOut(all.length - shown.length));
  return { data: shown.map(bodyOf) };
}

export interface AnnotationEntry extends Content {
  readonly chartType: ChartType;
  readonly type: Shape;
  readonly unit?: HeightUnit | null | undefined;
  readonly p1: Point;
  readonly p2?: Point | null | undefined;
}

export async function createAnnotation(call: Call, moduleId: number, entry: AnnotationEntry): Promise<AnnotationBody> {
  const drawing = drawingOf(entry);
  const userId = authorOf(call);
  await commissionedModule(call, moduleId);
  const before = await wiltingPointLines(call, moduleId);
  await remarkSoilless(call, moduleId, drawing);
  const drawn = await addAnnotation(call.db, { moduleId, drawing, userId, at: call.now });
  await followLines(call, moduleId, before, drawn.id);
  return bodyOf(drawn);
}

/** A wilting point needs soil moisture to be held against. */
async function remarkSoilless(call: Call, moduleId: number, drawing: Drawing): Promise<void> {
  if (thresholdOf(drawing) === null) return;
  const module = (await moduleById(call.db, moduleId))!;
  const isOfSoil = (await sensorsOf(call.db, [moduleId])).some(({ type }) => type === 'humidity');
  if (!isOfSoil || module.category === 'WEATHER_STATION') call.remark(annotationWords(call).soilless);
}

function drawingOf({ chartType, type, unit: asked, p1, p2, ...content }: AnnotationEntry): Drawing {
  const read = unitOf(chartType, asked);
  if ('refused' in read)
    throw refuse('invalid_body', `The ${chartType} curve has no unit, and ${asked} was given.`, {
      hint: 'Leave unit out: only drawings on humidity and humidity-detail carry one.',
      field: 'unit',
    });
  const drawing = { chartType, shape: type, unit: read.unit, p1, p2: p2 ?? null, content: present(content) };
  refuseFault(drawing);
  return drawing;
}

function authorOf({ caller }: Call): number {
  if (caller.userId !== null) return caller.userId;
  throw refuse('no_user', 'This key stands for no user, and an annotation needs an author.', {
    status: 403,
    hint: 'Use a key of a member of the company; list_users names them.',
  });
}

export interface AnnotationChange extends Content {
  readonly p1?: Point | undefined;
  readonly p2?: Point | null | undefined;
  readonly content?: Content | undefined;
}

export async function updateAnnotation(call: Call, id: string, sent: AnnotationChange): Promise<AnnotationBody> {
  const standing = await ownAnnotation(call, id);
  if (Object.values(sent).every((value) => value === undefined)) return bodyOf(standing);
  const { p1 = standing.p1, p2 = standing.p2, ...parts } = sent;
  const drawn = { ...standing, p1, p2, content: contentAfter(standing.content, parts), updatedAt: call.now };
  refuseFault(drawn);
  const before = await wiltingPointLines(call, standing.moduleId);
  await changeAnnotation(call.db, id, drawn, call.now);
  for (const part of ['style', 'text'] as const)
    if (standing.content[part] !== undefined && drawn.content[part] === undefined)
      call.remark(annotationWords(call).gone(part));
  await followLines(call, standing.moduleId, before, id);
  return bodyOf(drawn);
}

export async function deleteAnnotation(call: Call, id: string) {
  const { moduleId } = await ownAnnotation(call, id);
  const before = await wiltingPointLines(call, moduleId);
  await removeAnnotation(call.db, id);
  return { success: true, disabledAlertId: await followLines(call, moduleId, before, id) };
}

async function ownAnnotation(call: Call, id: string): Promise<Annotation> {
  const found = await annotationById(call.db, id);
  if (found) return found;
  throw await notOurs(call, 'annotations', id, 'annotation', 'See ids in list_annotations.');
}

/** Refuses a drawing that cannot stand, before anything is written. */
function refuseFault(drawing: Drawing): void {
  const fault = faultOf(drawing);
  if (fault) throw REFUSALS[fault](drawing);
}

const REFUSALS: Record<DrawingFault, (drawing: Drawing) => Error> = {
  second_point_missing: ({ shape }) =>
    refuse('invalid_body', `A ${shape} needs a second point.`, {
      hint: 'Give p2 as [instant in ms since 1970 UTC, value].',
      field: 'p2',
    }),
  threshold_unit: ({ unit, chartType }) =>
    refuse(
      'THRESHOLD_REQUIRES_VWC',
      `A threshold is a line in vwc, and this drawing ${unit === null ? `on the ${chartType} curve has no unit` : `is in ${unit}`}.`,
      { hint: 'Draw a new h-line on the humidity curve with unit vwc: a unit never changes.', field: 'style' },
    ),
  threshold_shape: ({ shape }) =>
    refuse('invalid_body', `A threshold is an h-line, and this drawing is a ${shape}.`, {
      hint: 'Draw a new h-line with that style, or give another fill: a shape never changes.',
      field: 'style',
    }),
  threshold_height: ({ p1 }) =>
    refuse('invalid_body', `A threshold lies at 0 to 100 % volumetric water content, not at ${p1[1]}.`, {
      hint: 'Give the value of p1 in %, such as 14.',
      field: 'p1',
    }),
};
