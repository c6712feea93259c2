import type { Call } from '../operation/call.ts';
import type { ParcelBody } from '../schema/place.ts';
import { type Parcel, parcelCount, parcelsAfter } from '../store/parcels.ts';
import { pageOf, placeOfCursor } from './pages.ts';
import { sayInAll } from './say-lists.ts';

const NO_OUTLINE: ParcelBody['geometry'] = { type: 'Polygon', coordinates: [] };

const concise = ({ id, name, type }: Parcel) => ({ id, name, type });

const full = (parcel: Parcel): ParcelBody => ({ ...concise(parcel), geometry: parcel.geometry ?? NO_OUTLINE });

export async function listParcels(
  call: Call,
  asked: { limit: number; cursor?: string | undefined; detail: 'concise' | 'full' },
) {
  const list = ['parcels', call.company.id] as const;
  const afterId = placeOfCursor(list, asked.cursor, 1)?.[0] ?? 0;
  const rows = await parcelsAfter(call.db, afterId, asked.limit + 1);
  call.remark(sayInAll(await parcelCount(call.db), call.lang));
  const { data, next_cursor } = pageOf(list, rows, asked.limit, (parcel) => [parcel.id]);
  return { data: data.map(asked.detail === 'concise' ? concise : full), next_cursor };
}
