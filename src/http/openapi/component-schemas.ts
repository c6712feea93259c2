import type { z } from 'zod';
import { documentSchema, type JsonSchema } from '../../operation/json-schema.ts';
import { advice, review } from '../../schema/advice.ts';
import { alert, alertRecipient, alertState, alertWithRecipients, backtest, listedAlert } from '../../schema/alert.ts';
import { annotation } from '../../schema/annotation.ts';
import { brief } from '../../schema/brief.ts';
import {
  company,
  enums,
  gateway,
  gatewayHealth,
  listedModule,
  listedParcel,
  module,
  parcel,
  user,
} from '../../schema/company.ts';
import {
  installation,
  installationVersion,
  irrigationConfiguration,
  missingDoses,
  placement,
} from '../../schema/installation.ts';

import { schedule } from '../../schema/schedule.ts';
import { agronomicState, moistureSeries, seriesPoint } from '../../schema/series.ts';
import { soilHorizon, soilProfileLayer } from '../../schema/soil.ts';

import { configSnapshot, irrigationWarning, watering, wateringAnswer } from '../../schema/watering.ts';

/** The resources under the names of the interface specification, ours beside them. */
const COMPONENT_SCHEMAS: Readonly<Record<string, z.ZodTypeAny>> = {
  IrrigationEvent: watering,
  IrrigationConfigSnapshot: configSnapshot,
  IrrigationWarning: irrigationWarning,
  WateringAnswer: wateringAnswer,
  Schedule: schedule,
  IrrigationConfiguration: irrigationConfiguration,
  IrrigationInstallation: installation,
  IrrigationInstallationVersion: installationVersion,
  IrrigationPlacement: placement,
  MissingDoses: missingDoses,
  Module: module,
  ListedModule: listedModule,
  WeightedSeries: moistureSeries,
  WeightedSeriesPoint: seriesPoint,
  AgronomicState: agronomicState,
  Gateway: gateway,
  GatewayHealth: gatewayHealth,
  Parcel: parcel,
  ListedParcel: listedParcel,
  SoilProfileLayer: soilProfileLayer,
  SoilHorizonReference: soilHorizon,
  Alert: alert,
  ToldAlert: alertWithRecipients,
  WatchedAlert: listedAlert,
  AlertRecipient: alertRecipient,
  AlertState: alertState,
  AlertBacktest: backtest,
  Annotation: annotation,
  WateringAdvice: advice,
  WateringReview: review,
  MorningBrief: brief,
  Company: company,
  CompanyUser: user,
  Enumerations: enums,
};

const componentNames = new Map(
  Object.entries(COMPONENT_SCHEMAS).map(([name, schema]) => [schema._def as z.ZodTypeDef, name]),
);

export const componentRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const componentReference = (def: z.ZodTypeDef): string | undefined => {
  const name = componentNames.get(def);
  return name && componentRef(name).$ref;
};

/** What an operation answers, resources by reference. */
export const responseSchema = (schema: z.ZodTypeAny): JsonSchema =>
  componentReference(schema._def)
    ? { $ref: componentReference(schema._def) }
    : documentSchema(schema, componentReference);

/** Every resource that is referred to from `used`, directly or by way of another. */
export function referencedSchemas(used: unknown): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  const collect = (from: unknown): void => {
    for (const [, name] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = COMPONENT_SCHEMAS[name!];
      if (!schema || found[name!]) continue;
      found[name!] = documentSchema(schema, componentReference);
      collect(found[name!]);
    }
  };
  collect(used);
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => a.localeCompare(b)));
}
