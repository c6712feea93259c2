import { IRRIGATION_SYSTEMS, IRRIGATION_WARNINGS } from '../../domain/irrigation/dose.ts';
import { INPUT_MODES } from '../../domain/irrigation/watering-amount.ts';
import type { Lang } from '../../domain/lang.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/series.ts';
import { languageOf } from '../../language/index.ts';
import type { EnumsBody } from '../../schema/company.ts';
import { ROLES } from '../../schema/scope.ts';
import { WATERING_SOURCES, WATERING_STATUSES } from '../../schema/watering.ts';

const labelCodes = <Code extends string>(codes: readonly Code[], labels: Readonly<Record<Code, string>>) =>
  codes.map((code) => ({ code, label: labels[code] }));

export function listEnums(lang: Lang): EnumsBody {
  const { enumLabels } = languageOf(lang);
  return {
    measurement_types: labelCodes(MEASUREMENT_TYPES, enumLabels.measurement_types),
    company_roles: labelCodes(ROLES, enumLabels.company_roles),
    agronomic_states: labelCodes(['saturated', 'comfort', 'stress'], enumLabels.agronomic_states),
    irrigation_systems: labelCodes(IRRIGATION_SYSTEMS, enumLabels.irrigation_systems),
    irrigation_input_modes: labelCodes(INPUT_MODES, enumLabels.irrigation_input_modes),
    irrigation_event_statuses: labelCodes(WATERING_STATUSES, enumLabels.irrigation_event_statuses),
    irrigation_event_sources: labelCodes(WATERING_SOURCES, enumLabels.irrigation_event_sources),
    irrigation_schedule_freqs: labelCodes(['daily', 'weekly'], enumLabels.irrigation_schedule_freqs),
    irrigation_confirmation_policies: labelCodes(['auto', 'manual'], enumLabels.irrigation_confirmation_policies),
    irrigation_warnings: labelCodes(IRRIGATION_WARNINGS, enumLabels.irrigation_warnings),
  };
}
