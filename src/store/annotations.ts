import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { ChartType, Drawing, HeightUnit, Point, Shape } from '../domain/annotation.ts';
import type { CompanyDb, OwnedTables } from './tables.ts';

/** A drawing over a curve of a module. Instants in ms. */
export interface Annotation extends Drawing {
  readonly id: string;
  readonly moduleId: number;
  readonly userId: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

type Row = Selectable<OwnedTables['annotations']>;

const toPoint = (text: string): Point => JSON.parse(text) as Point;

const toAnnotation = (row: Row): Annotation => ({
  id: row.id,
  moduleId: row.module_id,
  chartType: row.chart_type as ChartType,
  shape: row.type as Shape,
  unit: row.unit as HeightUnit | null,
  p1: toPoint(row.p1),
  p2: row.p2 === null ? null : toPoint(row.p2),
  content: JSON.parse(row.content),
  userId: row.user_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The drawings over one curve of a module, oldest first. */
export async function annotationsOn(db: CompanyDb, moduleId: number, chartType: ChartType): Promise<Annotation[]> {
  const rows = await db
    .selectFrom('annotations')
    .selectAll()
    .where('module_id', '=', moduleId)
    .where('chart_type', '=', chartType)
    .orderBy('seq')
    .execute();
  return rows.map(toAnnotation);
}

export async function annotationById(db: CompanyDb, id: string): Promise<Annotation | null> {
  const row = await db.selectFrom('annotations').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toAnnotation(row) : null;
}

const columnsOf = ({ p1, p2, content }: Pick<Drawing, 'p1' | 'p2' | 'content'>) => ({
  p1: JSON.stringify(p1),
  p2: p2 && JSON.stringify(p2),
  content: JSON.stringify(content),
});

/** Draws on a module's curve at `at` (ms), as `userId`; returns it under its new id. */
export async function addAnnotation(
  db: CompanyDb,
  drawn: { moduleId: number; drawing: Drawing; userId: number; at: number },
): Promise<Annotation> {
  const { moduleId, drawing, userId, at } = drawn;
  const row = {
    id: randomUUID(),
    module_id: moduleId,
    chart_type: drawing.chartType,
    type: drawing.shape,
    unit: drawing.unit,
    ...columnsOf(drawing),
    user_id: userId,
    created_at: at,
    updated_at: at,
  };
  await db.insertInto('annotations').values(row).execute();
  return { ...drawing, id: row.id, moduleId, userId, createdAt: at, updatedAt: at };
}

/** Writes the points and the content of a drawing anew at `at` (ms). */
export async function changeAnnotation(
  db: CompanyDb,
  id: string,
  drawing: Pick<Drawing, 'p1' | 'p2' | 'content'>,
  at: number,
): Promise<void> {
  await db
    .updateTable('annotations')
    .set({ ...columnsOf(drawing), updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function removeAnnotation(db: CompanyDb, id: string): Promise<void> {
  await db.deleteFrom('annotations').where('id', '=', id).execute();
}
