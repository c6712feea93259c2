import { doseWarnings } from '../../domain/irrigation/dose.ts';
import { fieldsOfInput } from '../../domain/irrigation/watering-amount.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { WateringAnswer, WateringBody } from '../../schema/irrigation/watering.ts';
import { type Watering, wateringMapper } from '../../store/irrigation/watering-columns.ts';

export const conciseWateringAnswer = ({ event, warnings }: WateringAnswer) => ({
  event: wateringMapper.toConcise(event),
  warnings,
});

export const toWateringAnswer = (watering: Watering): WateringAnswer => ({
  event: toWateringBody(watering),
  warnings: doseWarnings(watering.amount.mode, watering),
});

export const toWateringBody = (watering: Watering): WateringBody =>
  wateringMapper.toBody({
    ...watering,
    ...fieldsOfInput(watering),
    configSnapshot: watering.snapshot,
    endedAt:
      watering.durationMin === null ? null : watering.startedAt + watering.durationMin * MINUTE_MS,
  });
