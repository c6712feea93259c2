import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import { parcelName } from '../operation/directory.ts';
import { type CompanyBody, DEFAULT_ZONE, type EnumsBody, type ModuleBody } from '../schema/place.ts';
import type { UserBody } from '../schema/user.ts';
import type { PlaceWords } from './place-words.ts';
import { englishPlaces } from './place-words-en.ts';
import { frenchPlaces } from './place-words-fr.ts';
import { sayMore } from './say-lists.ts';

const WORDS: Record<Lang, PlaceWords> = { en: englishPlaces, fr: frenchPlaces };

export const placeWords = ({ lang }: Pick<Saying, 'lang'>): PlaceWords => WORDS[lang];

interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/** Names with ids, as a person would be asked to choose. */
const named = (rows: readonly { id: number; name: string | null }[], call: Saying): string =>
  rows.map((row) => `${row.name ?? placeWords(call).noName} (#${row.id})`).join(', ');

export const sayModules = (page: Page<Pick<ModuleBody, 'id' | 'name'>>, call: Saying): string =>
  page.data.length === 0
    ? placeWords(call).noModule
    : [placeWords(call).modules(named(page.data, call)), ...call.remarks, ...sayMore(page, call.lang)].join(' ');

export const sayParcels = (page: Page<{ id: number; name: string }>, call: Saying): string =>
  page.data.length === 0
    ? placeWords(call).noParcel
    : [placeWords(call).parcels(named(page.data, call)), ...call.remarks, ...sayMore(page, call.lang)].join(' ');

export async function sayModule(module: ModuleBody, call: Saying): Promise<string> {
  const sentence = placeWords(call).module({
    name: module.name ?? `Module ${module.id}`,
    kind: module.category,
    parcel: module.parcelId === null ? null : await parcelName(call.directory, module.parcelId, call.lang),
    sensors: module.sensors.length,
    depths: [...new Set(module.sensors.flatMap(({ depth }) => (depth === null ? [] : [depth])))],
    isMoved: module.location?.stale ?? false,
  });
  return [sentence, ...call.remarks].join(' ');
}

export const sayCompany = ({ name, city, timezone }: CompanyBody, call: Saying): string =>
  placeWords(call).company(name, city, timezone ?? DEFAULT_ZONE, timezone !== null);

export const sayUsers = ({ data }: { data: readonly UserBody[] }, call: Saying): string =>
  data.length === 0 ? placeWords(call).noMembers : placeWords(call).members(data);

export const sayEnums = (lists: EnumsBody, call: Saying): string =>
  placeWords(call).enums(Object.values(lists).flat().length);
