import type { AdvicePhrases, BriefPhrases, ChartPhrases, ReviewPhrases } from './advice/advice-phrases.ts';
import type { ChartLabels } from './advice/chart-labels.ts';
import type { AlertPhrases, AnnotationPhrases } from './alerts/alert-phrases.ts';
import type { EnumLabels, PlacePhrases } from './company/company-phrases.ts';

import type { CorePhrases, ListPhrases, QuestionPhrases } from './core-phrases.ts';
import type { MailPhrases } from './en/mail.ts';
import type { IntlFormat } from './intl-format.ts';
import type { SchedulePhrases, SetupPhrases, WateringPhrases } from './irrigation/irrigation-phrases.ts';
import type { SeriesPhrases } from './moisture/moisture-phrases.ts';
import type { GatewayPhrases, StatePhrases } from './monitoring/monitoring-phrases.ts';

import type { SoilPhrases } from './soil/soil-phrases.ts';
import type { LanguageWords } from './words/language-words.ts';

export interface Language {
  /** Countries (ISO 3166-1) whose administration writes in this language alone, and territories with a code of their own. */
  readonly countries: readonly string[];
  readonly format: IntlFormat;
  readonly core: CorePhrases;
  readonly list: ListPhrases;
  readonly questions: QuestionPhrases;
  readonly place: PlacePhrases;
  readonly enumLabels: EnumLabels;
  readonly soil: SoilPhrases;
  readonly series: SeriesPhrases;
  readonly state: StatePhrases;
  readonly gateway: GatewayPhrases;
  readonly alert: AlertPhrases;
  readonly annotation: AnnotationPhrases;
  readonly watering: WateringPhrases;
  readonly setup: SetupPhrases;
  readonly schedule: SchedulePhrases;
  readonly advice: AdvicePhrases;
  readonly brief: BriefPhrases;
  readonly review: ReviewPhrases;
  readonly chart: ChartPhrases;
  readonly chartLabels: ChartLabels;
  readonly mail: MailPhrases;
  readonly words: LanguageWords;
}
