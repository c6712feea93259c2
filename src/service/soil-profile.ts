import type { Lang } from '../domain/lang.ts';
import { SOIL_HORIZONS, type SoilHorizon, soilHorizon } from '../domain/soil.ts';
import { declareLayers, type LayerRefusal, overlap } from '../domain/soil-profile.ts';
import type { Call } from '../operation/call.ts';
import { refuse } from '../schema/error.ts';
import type { LayerEntry, SoilHorizonBody, SoilProfileLayerBody } from '../schema/soil.ts';
import { addLayer, closeLayer, type SoilLayer, standingLayers } from '../store/soil-layers.ts';
import { ownParcel } from './ownership.ts';
import { sayLayers, soilWords } from './say-soil.ts';
import { isoOf } from './wire.ts';

export const listSoilHorizons = (lang: Lang): { data: SoilHorizonBody[] } => ({
  data: SOIL_HORIZONS.map((horizon) => ({
    code: String(horizon.id),
    label: lang === 'fr' ? horizon.nameFr : horizon.usdaClass,
    usda_class: horizon.usdaClass,
    theta_sat: horizon.saturation,
    theta_fc: horizon.fieldCapacity,
    theta_pwp: horizon.wiltingPoint,
    sand_pct: horizon.sandPct,
    silt_pct: horizon.siltPct,
    clay_pct: horizon.clayPct,
  })),
});

/** Layers are declared with horizons of the catalog alone. */
const horizonOf = (layer: { soilHorizonId: number }): SoilHorizon => soilHorizon(layer.soilHorizonId)!;

/** The horizons in force, top down. */
export async function getSoilProfile(call: Call, parcelId: number): Promise<{ data: SoilProfileLayerBody[] }> {
  await ownParcel(call, parcelId);
  const layers = await standingLayers(call.db, parcelId);
  return { data: layers.map((layer) => layerBody(parcelId, layer)) };
}

function layerBody(parcelId: number, layer: SoilLayer): SoilProfileLayerBody {
  const { usdaClass, fieldCapacity, wiltingPoint } = horizonOf(layer);
  return {
    id: layer.id,
    parcel_id: parcelId,
    soil_horizon_id: layer.soilHorizonId,
    depth_top_cm: layer.depthTopCm,
    depth_bottom_cm: layer.depthBottomCm,
    timestamp_start: isoOf(layer.startedAt),
    horizon_name: usdaClass,
    usda_class: usdaClass,
    theta_fc: fieldCapacity,
    theta_pwp: wiltingPoint,
  };
}

/** Declares horizons from now on: one takes the place of the one that starts at its top, which is closed and kept. */
export async function setSoilProfile(
  call: Call,
  parcelId: number,
  { layers, closeOthers = false }: { layers: readonly LayerEntry[]; closeOthers?: boolean | undefined },
) {
  refuseUnsound(layers, closeOthers);
  await ownParcel(call, parcelId);
  const declaration = declareLayers(await standingLayers(call.db, parcelId), layers, closeOthers);
  if ('refused' in declaration) throw refusalOf(declaration, layers);
  const { closed, kept } = declaration;
  for (const layer of closed) await closeLayer(call.db, layer.id, call.now);
  const rows = [];
  for (const layer of layers)
    rows.push({ id: await addLayer(call.db, parcelId, layer, call.now), timestamp_start: isoOf(call.now) });
  const words = soilWords(call);
  if (closed.length > 0) call.remark(words.closed(sayLayers(closed, call)));
  if (kept.length > 0) call.remark(words.kept(sayLayers(kept, call)));
  const covered = kept.filter((layer) => layers.some((other) => overlap(layer, other)));
  if (covered.length > 0) call.remark(words.overlapping(sayLayers(covered, call)));
  return { success: true, rows };
}

/** What is wrong with the request alone is told before whose the parcel is. */
function refuseUnsound(layers: readonly LayerEntry[], closeOthers: boolean): void {
  if (layers.length === 0 && !closeOthers)
    throw refuse('invalid_body', 'layers is empty.', {
      hint: 'Give at least one layer, or closeOthers true to close the whole profile.',
      field: 'layers',
    });
  const declaration = declareLayers([], layers, closeOthers);
  if ('refused' in declaration) throw refusalOf(declaration, layers);
}

function refusalOf(refusal: LayerRefusal, layers: readonly LayerEntry[]): Error {
  const layer = layers[refusal.index]!;
  const span = `layers.${refusal.index} (${layer.depthTopCm} to ${layer.depthBottomCm} cm)`;
  switch (refusal.refused) {
    case 'unknown_horizon':
      return refuse(
        'invalid_body',
        `layers.${refusal.index} names soil horizon ${layer.soilHorizonId}, which does not exist.`,
        {
          hint: 'Pass a code from list_soil_horizons.',
          field: 'layers',
        },
      );
    case 'bottom_not_below_top':
      return refuse('invalid_body', `${span} ends above where it begins.`, {
        hint: 'Give depthBottomCm below depthTopCm; the surface is 0.',
        field: 'layers',
      });
    case 'overlap':
      return refuse('invalid_body', `${span} overlaps layers.${refusal.other}.`, {
        hint: 'Let each layer begin where the one above it ends.',
        field: 'layers',
      });
  }
}
