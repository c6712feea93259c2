import type { z } from 'zod';
import type { Lang } from '../../domain/lang.ts';
import type { AdviceBody } from '../../schema/advice.ts';
import type { ListedAlertBody } from '../../schema/alert.ts';
import type { Category, DetailLevel, GatewayBody, ListedModuleBody, ModuleBody } from '../../schema/company.ts';
import type { IrrigationConfigurationBody } from '../../schema/installation.ts';
import type { ScheduleBody } from '../../schema/schedule.ts';
import type { AgronomicStateBody, MoistureSeriesBody, seriesQuery } from '../../schema/series.ts';
import type { WateringBody, WateringStatus } from '../../schema/watering.ts';

type Perform<Fields, Body> = (fields: Fields) => Promise<Body>;

interface ByModule {
  moduleId: number;
}

type ListOperation<Fields, Row> = Perform<Fields & PageRequest, { data: Row[]; next_cursor: string | null }>;

interface PageRequest {
  limit?: number;
  cursor?: string;
}

interface WateringFilter {
  moduleId?: number;
  from?: string;
  to?: string;
  status?: WateringStatus;
}

export interface PerformedOperations {
  readonly adviseWatering: Perform<ByModule, AdviceBody>;
  readonly getAgronomicState: Perform<ByModule, AgronomicStateBody>;
  readonly getIrrigationSetup: Perform<ByModule, IrrigationConfigurationBody>;
  readonly getModule: Perform<ByModule, ModuleBody>;
  readonly getMoistureSeries: Perform<ByModule & z.input<z.ZodObject<typeof seriesQuery>>, MoistureSeriesBody>;
  readonly listAlerts: ListOperation<{ moduleId?: number; isActive?: boolean }, ListedAlertBody>;
  readonly listGateways: ListOperation<object, GatewayBody>;
  readonly listModules: ListOperation<{ category?: Category; detail?: DetailLevel; lang?: Lang }, ListedModuleBody>;
  readonly listSchedules: ListOperation<{ isActive?: boolean }, ScheduleBody>;
  readonly listWaterings: ListOperation<WateringFilter, WateringBody>;
}
