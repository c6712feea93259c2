import type { Language } from '../en/index.ts';
import { spanishAdvicePhrases, spanishBriefPhrases, spanishChartPhrases, spanishReview } from './advice.ts';
import { spanishAlertPhrases, spanishAnnotationPhrases } from './alerts.ts';
import { spanishChanges } from './changes.ts';
import { spanishChartLabels } from './chart.ts';
import { spanishEnumLabels, spanishPlace } from './company.ts';
import { spanishCore, spanishList, spanishQuestions } from './core.ts';
import { spanishCrops } from './crops.ts';

import { spanishDevice } from './device.ts';
import { spanishFormat } from './grammar.ts';
import { spanishSchedule, spanishSettings, spanishSetup, spanishWatering } from './irrigation.ts';
import { spanishMail } from './mail.ts';
import { spanishDoubt, spanishSeries } from './moisture.ts';
import { spanishCsvImport, spanishGateway, spanishState, spanishThresholds } from './monitoring.ts';
import { spanishNames } from './names.ts';

import { spanishOverview } from './overview.ts';
import { spanishPage } from './page.ts';
import { spanishPageChart } from './page-chart.ts';
import { spanishRain } from './rain.ts';
import { spanishImportReport, spanishRejections, spanishSkippedColumns } from './rejections.ts';
import { spanishSignIn } from './sign-in.ts';
import { spanishSoil } from './soil.ts';
import { spanishSuggestion } from './suggestion.ts';
import { spanishTension } from './tension.ts';
import { spanishThisDevice } from './this-device.ts';
import { spanishWeather } from './weather.ts';
import { spanishWords } from './words.ts';

export const spanish: Language = {
  countries: 'ES MX GT SV HN NI CR PA CU DO PR CO VE EC PE BO CL AR UY PY GQ'.split(' '),
  format: spanishFormat,
  core: spanishCore,
  list: spanishList,
  questions: spanishQuestions,
  place: spanishPlace,
  enumLabels: spanishEnumLabels,
  crops: spanishCrops,
  names: spanishNames,
  changes: spanishChanges,
  rain: spanishRain,
  weather: spanishWeather,
  soil: spanishSoil,
  series: spanishSeries,
  doubt: spanishDoubt,
  state: spanishState,
  thresholds: spanishThresholds,
  tension: spanishTension,
  gateway: spanishGateway,
  device: spanishDevice,
  csvImport: spanishCsvImport,
  importReport: spanishImportReport,
  rejections: spanishRejections,
  skippedColumns: spanishSkippedColumns,
  alert: spanishAlertPhrases,
  annotation: spanishAnnotationPhrases,
  watering: spanishWatering,
  settings: spanishSettings,
  setup: spanishSetup,
  schedule: spanishSchedule,
  advice: spanishAdvicePhrases,
  brief: spanishBriefPhrases,
  overview: spanishOverview,
  review: spanishReview,
  suggestion: spanishSuggestion,
  chart: spanishChartPhrases,
  chartLabels: spanishChartLabels,
  mail: spanishMail,
  page: spanishPage,
  pageChart: spanishPageChart,
  signIn: spanishSignIn,
  thisDevice: spanishThisDevice,
  words: spanishWords,
};
