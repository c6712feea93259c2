import { itemAt } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import {
  SOIL_HORIZONS,
  type SoilHorizon,
  soilHorizonById,
} from '../../domain/soil/soil-catalog.ts';
import {
  declareLayers,
  type LayerRefusal,
  layersOverlap,
  MAX_LAYERS_IN_FORCE,
} from '../../domain/soil/soil-profile.ts';
import { exact } from '../../domain/text/figures.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { ArgumentName } from '../../domain/text/text.ts';
import { languageOf } from '../../language/index.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import type {
  LayerEntry,
  SoilHorizonBody,
  SoilProfileLayerBody,
  soilProfileBody,
} from '../../schema/soil/soil.ts';
import { toIso } from '../../schema/wire-format.ts';
import { addLayer, closeLayer, openLayers, type SoilLayer } from '../../store/soil/soil-layers.ts';
import { assertOwnParcel } from '../ownership.ts';

export const listSoilHorizons = (lang: Lang): { data: SoilHorizonBody[] } => ({
  data: SOIL_HORIZONS.map((horizon) => ({
    code: String(horizon.id),
    label: languageOf(lang).labels.texture(horizon.usdaClass),
    usda_class: horizon.usdaClass,
    theta_sat: horizon.saturation,
    theta_fc: horizon.fieldCapacity,
    theta_pwp: horizon.wiltingPoint,
    sand_pct: horizon.sandPct,
    silt_pct: horizon.siltPct,
    clay_pct: horizon.clayPct,
  })),
});

const horizonOf = (layer: { soilHorizonId: number }): SoilHorizon =>
  soilHorizonById(layer.soilHorizonId)!;

export async function getSoilProfile(
  call: Call,
  parcelId: number,
): Promise<{ data: SoilProfileLayerBody[] }> {
  await assertOwnParcel(call, parcelId);
  const layers = await openLayers(call.db, parcelId);
  return { data: layers.map((layer) => toLayerBody(parcelId, layer)) };
}

function toLayerBody(parcelId: number, layer: SoilLayer): SoilProfileLayerBody {
  const { usdaClass, fieldCapacity, wiltingPoint } = horizonOf(layer);
  return {
    id: layer.id,
    parcel_id: parcelId,
    soil_horizon_id: layer.soilHorizonId,
    depth_top_cm: layer.depthTopCm,
    depth_bottom_cm: layer.depthBottomCm,
    timestamp_start: toIso(layer.startedAt),
    horizon_name: usdaClass,
    usda_class: usdaClass,
    theta_fc: fieldCapacity,
    theta_pwp: wiltingPoint,
  };
}

/** A new layer closes the one with the same top, which remains in history. */
export async function setSoilProfile(
  call: Call,
  parcelId: number,
  { layers, closeOthers = false, overlaps }: FieldsOf<typeof soilProfileBody>,
) {
  const options = { closeOthers, cutOverlaps: overlaps === 'cut' };
  assertValidLayers(layers, options);
  await assertOwnParcel(call, parcelId);

  const declaration = declareLayers(await openLayers(call.db, parcelId), layers, options);
  if (!declaration.ok) throw layerError(declaration.failure, layers);

  const { closed, remaining, parts } = declaration.value;
  for (const layer of closed) await closeLayer(call.db, layer.id, call.now);
  const rows = [];

  for (const layer of layers)
    rows.push({
      id: await addLayer(call.db, parcelId, layer, call.now),
      timestamp_start: toIso(call.now),
    });

  for (const part of parts) await addLayer(call.db, parcelId, part, call.now);

  const others = [...remaining, ...parts].sort((a, b) => a.depthTopCm - b.depthTopCm);
  if (areSameLayers(closed, layers)) call.advise({ kind: 'layers_as_before' });
  else if (closed.length > 0) call.advise({ kind: 'layers_closed', layers: closed.map(spanOf) });
  if (others.length > 0) call.advise({ kind: 'layers_in_force', layers: others.map(spanOf) });
  const covered = remaining.filter((layer) => layers.some((other) => layersOverlap(layer, other)));
  if (covered.length > 0) call.advise({ kind: 'layers_overlapping', layers: covered.map(spanOf) });

  return { success: true, rows };
}

const areSameLayers = (before: readonly SoilLayer[], declared: readonly LayerEntry[]): boolean =>
  before.length === declared.length &&
  before.every((layer) =>
    declared.some(
      (other) =>
        layer.soilHorizonId === other.soilHorizonId &&
        layer.depthTopCm === other.depthTopCm &&
        layer.depthBottomCm === other.depthBottomCm,
    ),
  );

const spanOf = ({ soilHorizonId, depthTopCm, depthBottomCm }: SoilLayer) => ({
  soilHorizonId,
  depthTopCm,
  depthBottomCm,
});

function assertValidLayers(
  layers: readonly LayerEntry[],
  options: Parameters<typeof declareLayers>[2],
): void {
  if (layers.length === 0 && !options.closeOthers)
    throw invalidInputError('invalid_body', say`No layer is given.`, {
      hint: say`Give at least one layer, or ${argument('closeOthers')} true to close the whole profile.`,
      field: 'layers',
    });
  const declaration = declareLayers([], layers, options);
  if (!declaration.ok) throw layerError(declaration.failure, layers);
}

export const tooManyLayersError = (count: number, field: string): Error =>
  invalidInputError(
    'invalid_body',
    say`${argument(field)}: the profile would have ${count} layers; it can have ${MAX_LAYERS_IN_FORCE}.`,
    {
      hint: say`Merge neighbouring layers of the same texture, or close those that are not named with ${argument('closeOthers')} true.`,
      field,
    },
  );

const layerName = (index: number): ArgumentName => argument(`layers.${index}`);

function layerError(refusal: LayerRefusal, layers: readonly LayerEntry[]): Error {
  if (refusal.refusal === 'too_many') return tooManyLayersError(refusal.count, 'layers');

  const layer = itemAt(layers, refusal.index);
  const name = layerName(refusal.index);
  const span = say`${name} (${exact([layer.depthTopCm, layer.depthBottomCm], 'cm', 'to')})`;

  switch (refusal.refusal) {
    case 'unknown_horizon':
      return invalidInputError(
        'invalid_body',
        say`${name} names soil horizon ${layer.soilHorizonId}, which does not exist.`,
        {
          hint: say`Pass a code from ${operationName('list_soil_horizons')}.`,
          field: 'layers',
        },
      );
    case 'bottom_not_below_top':
      return invalidInputError('invalid_body', say`${span} has its bottom at or above its top.`, {
        hint: say`Give ${argument('depthBottomCm')} below ${argument('depthTopCm')}; the surface is 0.`,
        field: 'layers',
      });
    case 'overlap':
      return invalidInputError('invalid_body', say`${span} overlaps ${layerName(refusal.other)}.`, {
        hint: say`Let each layer begin where the one above it ends.`,
        field: 'layers',
      });
  }
}
