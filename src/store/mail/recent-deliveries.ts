import type { Kysely } from 'kysely';
import { HOUR_MS } from '../../domain/periods.ts';
import type { Tables } from '../tables.ts';
import type { Recipient } from './outbox.ts';

/** Stands for mail where push messages have the id of their session. */
const MAIL = 0;

/** When the messages that were sent to the person were composed, of the last hour before the newest. */
export async function recentDeliveries(
  db: Kysely<Tables>,
  { companyId, userId, sessionId }: Recipient,
): Promise<number[]> {
  const rows = await db
    .selectFrom('recent_deliveries')
    .select('composed_at')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId ?? MAIL)
    .execute();
  return rows.map(({ composed_at }) => composed_at);
}

/** Forgets what is older than an hour by then. `id` tells deliveries of one instant apart. */
export async function recordDelivery(
  db: Kysely<Tables>,
  { companyId, userId, sessionId }: Recipient,
  { id, composedAt }: { readonly id: string; readonly composedAt: number },
): Promise<void> {
  const recipient = { company_id: companyId, user_id: userId, session_id: sessionId ?? MAIL };
  await db
    .deleteFrom('recent_deliveries')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId ?? MAIL)
    .where((eb) =>
      eb.or([eb('composed_at', '<=', composedAt - HOUR_MS), eb('message_id', '=', id)]),
    )
    .execute();
  await db
    .insertInto('recent_deliveries')
    .values({ ...recipient, composed_at: composedAt, message_id: id })
    .execute();
}
