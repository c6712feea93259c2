import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import {
  type AnnotationDrawing,
  type AnnotationPoint,
  type ChartType,
  lineHeightInUnit,
} from '../../domain/alerts/annotation.ts';
import { chartTypeOfFill, isLineOfFill, type LineFill } from '../../domain/alerts/drawn-lines.ts';
import { lastOf } from '../../domain/items.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export interface Annotation extends AnnotationDrawing {
  readonly id: string;
  readonly moduleId: number;
  readonly userId: number;
  /** In %: what past waterings suggested when a field capacity was drawn. */
  readonly suggestedHeight: number | null;
  /** In %: the height of a doubtful line that a person confirmed. */
  readonly confirmedHeight: number | null;
  /** In %, unrounded: the height before any calibration; null while none moved it. */
  readonly uncalibratedHeight: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

type AnnotationRow = Selectable<CompanyTables['annotations']>;

const toPoint = (text: string): AnnotationPoint => JSON.parse(text);

const toAnnotation = (row: AnnotationRow): Annotation => ({
  id: row.id,
  moduleId: row.module_id,
  chartType: row.chart_type,
  shape: row.type,
  unit: row.unit,
  p1: toPoint(row.p1),
  p2: row.p2 === null ? null : toPoint(row.p2),
  content: JSON.parse(row.content),
  userId: row.user_id,
  suggestedHeight: row.suggested_height,
  confirmedHeight: row.confirmed_height,
  uncalibratedHeight: row.uncalibrated_height,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Rows of one statement: SQLite blocks the event loop until a statement ends. */
const SLICE_ROWS = 1_000;

export async function annotationsOn(
  db: CompanyDb,
  moduleId: number,
  chartType: ChartType,
): Promise<Annotation[]> {
  const found: Annotation[] = [];
  for (let afterSeq = 0; ; ) {
    const rows = await db
      .selectFrom('annotations')
      .selectAll()
      .where('module_id', '=', moduleId)
      .where('chart_type', '=', chartType)
      .where('seq', '>', afterSeq)
      .orderBy('seq')
      .limit(SLICE_ROWS)
      .execute();
    found.push(...rows.map(toAnnotation));
    if (rows.length < SLICE_ROWS) return found;

    afterSeq = lastOf(rows).seq;
  }
}

/** The horizontal lines on the charts of these modules, oldest first. */
export async function linesOfModules(
  db: CompanyDb,
  moduleIds: readonly number[],
): Promise<Annotation[]> {
  const rows = await db
    .selectFrom('annotations')
    .selectAll()
    .where('module_id', 'in', moduleIds)
    .where('type', '=', 'h-line')
    .orderBy('seq')
    .execute();
  return rows.map(toAnnotation);
}

const newestLineRow = preparedQuery(
  (db, moduleId: number, chartType: ChartType, pattern: string, beforeSeq: number) =>
    db
      .selectFrom('annotations')
      .selectAll()
      .where('module_id', '=', moduleId)
      .where('chart_type', '=', chartType)
      .where('type', '=', 'h-line')
      .where('content', 'like', pattern)
      .where('seq', '<', beforeSeq)
      .orderBy('seq', 'desc')
      .limit(1),
);

/** The line that counts: others, of which a chart may have hundreds, are not read. */
export async function newestLine(
  db: CompanyDb,
  moduleId: number,
  fill: LineFill,
): Promise<Annotation | null> {
  const chartType = chartTypeOfFill(fill);
  for (let beforeSeq = Number.MAX_SAFE_INTEGER; ; ) {
    const [row] = await newestLineRow(db, moduleId, chartType, `%"${fill}"%`, beforeSeq);
    if (row === undefined) return null;

    const line = toAnnotation(row);
    // The text of another drawing may be the name of the fill.
    if (isLineOfFill(line, fill)) return line;
    beforeSeq = row.seq;
  }
}

/** In the unit of the chart; null where none is drawn. */
export async function heightOfNewestLine(
  db: CompanyDb,
  moduleId: number,
  fill: LineFill,
): Promise<number | null> {
  const line = await newestLine(db, moduleId, fill);
  return line && lineHeightInUnit(line);
}

export async function annotationById(db: CompanyDb, id: string): Promise<Annotation | null> {
  const row = await db
    .selectFrom('annotations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? toAnnotation(row) : null;
}

const contentColumns = ({ p1, p2, content }: Pick<AnnotationDrawing, 'p1' | 'p2' | 'content'>) => ({
  p1: JSON.stringify(p1),
  p2: p2 && JSON.stringify(p2),
  content: JSON.stringify(content),
});

export type LineCheck = Pick<Annotation, 'suggestedHeight' | 'confirmedHeight'>;

const checkColumns = ({ suggestedHeight, confirmedHeight }: LineCheck) => ({
  suggested_height: suggestedHeight,
  confirmed_height: confirmedHeight,
});

export async function confirmLine(db: CompanyDb, id: string, height: number): Promise<void> {
  await db
    .updateTable('annotations')
    .set({ confirmed_height: height })
    .where('id', '=', id)
    .execute();
}

export async function addAnnotation(
  db: CompanyDb,
  annotation: {
    moduleId: number;
    drawing: AnnotationDrawing;
    check: LineCheck;
    userId: number;
    at: number;
  },
): Promise<Annotation> {
  const { moduleId, drawing, check, userId, at } = annotation;
  const row = {
    id: randomUUID(),
    module_id: moduleId,
    chart_type: drawing.chartType,
    type: drawing.shape,
    unit: drawing.unit,
    ...contentColumns(drawing),
    ...checkColumns(check),
    user_id: userId,
    created_at: at,
    updated_at: at,
  };
  await db.insertInto('annotations').values(row).execute();

  return {
    ...drawing,
    ...check,
    id: row.id,
    moduleId,
    userId,
    uncalibratedHeight: null,
    createdAt: at,
    updatedAt: at,
  };
}

export async function changeAnnotation(
  db: CompanyDb,
  id: string,
  drawing: Pick<Annotation, 'p1' | 'p2' | 'content' | 'uncalibratedHeight'> & LineCheck,
  at: number,
): Promise<void> {
  await db
    .updateTable('annotations')
    .set({
      ...contentColumns(drawing),
      ...checkColumns(drawing),
      uncalibrated_height: drawing.uncalibratedHeight,
      updated_at: at,
    })
    .where('id', '=', id)
    .execute();
}

export async function removeAnnotation(db: CompanyDb, id: string): Promise<void> {
  await db.deleteFrom('annotations').where('id', '=', id).execute();
}
