import { randomUUID } from 'node:crypto';
import type { CompanyDb } from './tables.ts';

/** The alert that was born from a line, as far as the line knows it. */
export interface LineAlert {
  readonly id: string;
  /** A decimal, % volumetric moisture. */
  readonly threshold: string;
  readonly isActive: boolean;
}

export async function alertOfLine(db: CompanyDb, annotationId: string): Promise<LineAlert | null> {
  const row = await db
    .selectFrom('alerts')
    .select(['id', 'threshold', 'is_active'])
    .where('annotation_id', '=', annotationId)
    .executeTakeFirst();
  return row ? { id: row.id, threshold: row.threshold, isActive: row.is_active === 1 } : null;
}

/** What an alert starts with where nobody says otherwise. Source: spec, "POST /alerts". */
export const ALERT_DEFAULTS = { hysteresis: '5', reminderTime: '08:00:00' } as const;

/** Adds the alert of a line, its author the first recipient; returns its id. */
export async function addLineAlert(
  db: CompanyDb,
  born: { moduleId: number; annotationId: string; threshold: string; userId: number; at: number },
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('alerts')
    .values({
      id,
      module_id: born.moduleId,
      parcel_id: null,
      annotation_id: born.annotationId,
      threshold: born.threshold,
      hysteresis: ALERT_DEFAULTS.hysteresis,
      reminder_time: ALERT_DEFAULTS.reminderTime,
      source: 'annotation',
      is_active: 1,
      created_by: born.userId,
      created_at: born.at,
      updated_at: born.at,
    })
    .execute();
  await db.insertInto('alert_recipients').values({ id: randomUUID(), alert_id: id, user_id: born.userId }).execute();
  return id;
}

/** Changes an alert at `at` (ms); what is not named stays. */
export async function changeAlert(
  db: CompanyDb,
  id: string,
  { threshold, isActive }: { threshold?: string; isActive?: boolean },
  at: number,
): Promise<void> {
  await db
    .updateTable('alerts')
    .set({
      ...(threshold !== undefined && { threshold }),
      ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
      updated_at: at,
    })
    .where('id', '=', id)
    .execute();
}
