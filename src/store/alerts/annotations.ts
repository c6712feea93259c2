import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import {
  type AnnotationDrawing,
  type ChartType,
  lineHeightInUnit,
} from '../../domain/alerts/annotation.ts';
import { chartTypeOfFill, isLineOfFill, type LineFill } from '../../domain/alerts/drawn-lines.ts';
import { lastOf } from '../../domain/items.ts';
import { annotationFields } from '../../schema/alerts/annotation.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { ValueOf } from '../queries/resource-types.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export type Annotation = ValueOf<typeof annotationFields>;

export const annotationMapper = new ResourceMapper(annotationFields);

const toAnnotation = (row: Selectable<CompanyTables['annotations']>): Annotation =>
  annotationMapper.toValue(row);

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

/** The height in the unit of the chart; null where no line is drawn. */
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

export type LineCheck = Pick<Annotation, 'suggestedHeight' | 'confirmedHeight'>;

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
  const added = {
    id: randomUUID(),
    moduleId,
    ...drawing,
    ...check,
    uncalibratedHeight: null,
    userId,
    createdAt: at,
    updatedAt: at,
  };
  await db.insertInto('annotations').values(annotationMapper.toColumns(added)).execute();
  return added;
}

type AnnotationChange = Pick<Annotation, 'p1' | 'p2' | 'content' | 'uncalibratedHeight'> &
  LineCheck;

/** The rest of a drawing never changes. */
export async function changeAnnotation(
  db: CompanyDb,
  id: string,
  { p1, p2, content, uncalibratedHeight, suggestedHeight, confirmedHeight }: AnnotationChange,
  updatedAt: number,
): Promise<void> {
  const heights = { uncalibratedHeight, suggestedHeight, confirmedHeight };
  await db
    .updateTable('annotations')
    .set(annotationMapper.toColumns({ p1, p2, content, ...heights, updatedAt }))
    .where('id', '=', id)
    .execute();
}

export async function removeAnnotation(db: CompanyDb, id: string): Promise<void> {
  await db.deleteFrom('annotations').where('id', '=', id).execute();
}
