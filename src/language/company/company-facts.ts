import type { IrrigationSystem, IrrigationWarning } from '../../domain/irrigation/dose.ts';
import type { InputMode } from '../../domain/irrigation/watering-amount.ts';
import type { AgronomicState } from '../../domain/moisture/agronomic-state.ts';
import type { MeasurementType } from '../../domain/moisture/series.ts';
import type { Role } from '../../schema/scope.ts';

import type { WateringSource, WateringStatus } from '../../schema/watering.ts';

export type ModuleKind = 'SOIL_PROBE' | 'TENSIOMETER' | 'WEATHER_STATION';

export interface ModuleFacts {
  readonly name: string;
  readonly kind: ModuleKind | null;
  readonly parcel: string | null;
  readonly sensors: number;
  /** In cm, each once. */
  readonly depths: readonly number[];
  readonly isMoved: boolean;
}

type Labels<Code extends string> = Readonly<Record<Code, string>>;

export interface EnumLabels {
  readonly measurement_types: Labels<MeasurementType>;
  readonly company_roles: Labels<Role>;
  readonly agronomic_states: Labels<AgronomicState>;
  readonly irrigation_systems: Labels<IrrigationSystem>;
  readonly irrigation_input_modes: Labels<InputMode>;
  readonly irrigation_event_statuses: Labels<WateringStatus>;
  readonly irrigation_event_sources: Labels<WateringSource>;
  readonly irrigation_schedule_freqs: Labels<'daily' | 'weekly'>;
  readonly irrigation_confirmation_policies: Labels<'auto' | 'manual'>;
  readonly irrigation_warnings: Labels<IrrigationWarning>;
}
