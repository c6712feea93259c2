import {
  englishAdvicePhrases,
  englishBriefPhrases,
  englishOverview,
  englishSuggestion,
} from './advice.ts';
import { englishAlertPhrases, englishAnnotationPhrases } from './alerts.ts';
import { englishChartLabels, englishChartPhrases, englishPageChart } from './chart.ts';
import { englishChanges, englishEnumLabels, englishPlace } from './company.ts';
import { englishCore, englishList, englishQuestions } from './core.ts';
import { englishFormat } from './grammar.ts';
import {
  englishCsvImport,
  englishImportReport,
  englishRejections,
  englishSkippedColumns,
} from './imports.ts';
import { englishReview, englishWatering } from './irrigation.ts';
import { englishMail } from './mail.ts';
import { englishDoubt, englishSeries } from './moisture.ts';
import {
  englishDevice,
  englishGateway,
  englishState,
  englishTension,
  englishThresholds,
} from './monitoring.ts';
import { englishCrops, englishNames } from './names.ts';
import { englishPage, englishSignIn, englishThisDevice } from './page.ts';
import { englishSchedule, englishSettings, englishSetup, englishSoil } from './setup.ts';
import { englishRain, englishWeather } from './weather.ts';
import { englishWords } from './words.ts';

/**
 * Countries (ISO 3166-1) whose administration writes in this language alone, and territories with a
 * code of their own.
 */
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
