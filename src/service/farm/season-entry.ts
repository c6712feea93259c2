import {
  type CropSeason,
  type SeasonEntry,
  seasonAfter,
} from '../../domain/balance/crop-season.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { say } from '../../domain/text/say.ts';
import { localDay } from '../../domain/text/times.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import { currentSeasons, insertSeason, updateSeason } from '../../store/company/seasons.ts';
import { isSameCrop, seasonOfCrop } from '../company/seasons.ts';

/** Keeps what is said of the crop of a parcel, and returns the season before and after. */
export async function enterSeason(
  { db, now, zone }: Pick<Call, 'db' | 'now' | 'zone'>,
  { id, typeBefore }: { readonly id: number; readonly typeBefore: string | null },
  entry: SeasonEntry,
): Promise<{ readonly before: CropSeason; readonly after: CropSeason }> {
  const stored = (await currentSeasons(db, [id])).get(id);
  const before = seasonOfCrop(typeBefore, stored?.season);
  const { crop: _, ...beyondCrop } = entry;
  const isAboutSeason = Object.values(beyondCrop).some((value) => value !== undefined);
  if (stored === undefined && !isAboutSeason)
    return { before, after: entry.crop === undefined ? before : { ...before, crop: entry.crop } };

  const { season: after, isNew } = seasonAfter(before, entry, {
    today: LocalDay.at(now, zone).iso,
    isSameCrop,
  });
  assertHarvestAfterPlanting(after);

  if (stored === undefined || stored.season !== before || isNew)
    await insertSeason(db, id, after, now);
  else if (after !== before) await updateSeason(db, stored.id, after, now);
  return { before, after };
}

function assertHarvestAfterPlanting({ plantedOn, harvestedOn }: CropSeason): void {
  if (plantedOn === null || harvestedOn === null || plantedOn <= harvestedOn) return;
  throw invalidInputError(
    'invalid_body',
    say`The harvest on ${localDay(harvestedOn)} is before the planting on ${localDay(plantedOn)}.`,
    { hint: say`Correct one of the two days.`, field: 'harvestedOn' },
  );
}
