import type { Call } from '../../operation/call.ts';
import type { ParcelBody } from '../../schema/company.ts';
import { type Parcel, parcelCount, parcelsAfter } from '../../store/company/places.ts';
import { decodeCursor, toPage } from '../pagination.ts';

const NO_OUTLINE: ParcelBody['geometry'] = { type: 'Polygon', coordinates: [] };

const conciseParcel = ({ id, name, type }: Parcel) => ({ id, name, type });

const toParcelBody = (parcel: Parcel): ParcelBody => ({
  ...conciseParcel(parcel),
  geometry: parcel.geometry ?? NO_OUTLINE,
});

export async function listParcels(
  call: Call,
  query: { limit: number; cursor?: string | undefined; detail: 'concise' | 'full' },
) {
  const list = ['parcels', call.company.id] as const;
  const afterId = decodeCursor(list, query.cursor, 1)?.[0] ?? 0;
  const rows = await parcelsAfter(call.db, afterId, query.limit + 1);
  const total = await parcelCount(call.db);
  if (total > 0) call.note({ kind: 'total', count: total });
  const { data, next_cursor } = toPage(list, rows, query.limit, (parcel) => [parcel.id]);
  return { data: data.map(query.detail === 'concise' ? conciseParcel : toParcelBody), next_cursor };
}
