import { englishAdvicePhrases, englishBriefPhrases, englishChartPhrases, englishReview } from './advice.ts';
import { englishAlertPhrases, englishAnnotationPhrases } from './alerts.ts';
import { englishChanges } from './changes.ts';
import { englishChartLabels } from './chart.ts';
import { englishEnumLabels, englishPlace } from './company.ts';
import { englishCore, englishList, englishQuestions } from './core.ts';
import { englishCrops } from './crops.ts';

import { englishDevice } from './device.ts';
import { englishFormat } from './grammar.ts';
import { englishSchedule, englishSettings, englishSetup, englishWatering } from './irrigation.ts';
import { englishMail } from './mail.ts';
import { englishDoubt, englishSeries } from './moisture.ts';
import { englishCsvImport, englishGateway, englishState, englishThresholds } from './monitoring.ts';
import { englishNames } from './names.ts';

import { englishOverview } from './overview.ts';
import { englishPage } from './page.ts';
import { englishPageChart } from './page-chart.ts';
import { englishRain } from './rain.ts';
import { englishImportReport, englishRejections, englishSkippedColumns } from './rejections.ts';
import { englishSignIn } from './sign-in.ts';
import { englishSoil } from './soil.ts';
import { englishSuggestion } from './suggestion.ts';
import { englishTension } from './tension.ts';
import { englishThisDevice } from './this-device.ts';
import { englishWeather } from './weather.ts';
import { englishWords } from './words.ts';

/** Countries (ISO 3166-1) whose administration writes in this language alone, and territories with a code of their own. */
const COUNTRIES: readonly string[] = [];

export const english = {
  countries: COUNTRIES,
  format: englishFormat,
  core: englishCore,
  list: englishList,
  questions: englishQuestions,
  place: englishPlace,
  enumLabels: englishEnumLabels,
  crops: englishCrops,
  names: englishNames,
  changes: englishChanges,
  rain: englishRain,
  weather: englishWeather,
  soil: englishSoil,
  series: englishSeries,
  doubt: englishDoubt,
  state: englishState,
  thresholds: englishThresholds,
  tension: englishTension,
  gateway: englishGateway,
  device: englishDevice,
  csvImport: englishCsvImport,
  importReport: englishImportReport,
  rejections: englishRejections,
  skippedColumns: englishSkippedColumns,
  alert: englishAlertPhrases,
  annotation: englishAnnotationPhrases,
  watering: englishWatering,
  settings: englishSettings,
  setup: englishSetup,
  schedule: englishSchedule,
  advice: englishAdvicePhrases,
  brief: englishBriefPhrases,
  overview: englishOverview,
  review: englishReview,
  suggestion: englishSuggestion,
  chart: englishChartPhrases,
  chartLabels: englishChartLabels,
  mail: englishMail,
  page: englishPage,
  pageChart: englishPageChart,
  signIn: englishSignIn,
  thisDevice: englishThisDevice,
  words: englishWords,
};

export type Language = typeof english;
