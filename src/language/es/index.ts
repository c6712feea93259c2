import type { Language } from '../en/index.ts';
import { spanishChartLabels, spanishPageChart, spanishPictureLabels } from './chart.ts';
import { spanishFileFaults } from './file-faults.ts';
import { spanishFormat, spanishJoiners } from './grammar.ts';
import {
  spanishFarmReport,
  spanishImportReport,
  spanishRejections,
  spanishSkippedColumns,
  spanishWeatherFile,
  spanishZoneChange,
} from './import-report.ts';
import { spanishEnumLabels, spanishLabels } from './labels.ts';
import { spanishMail } from './mail.ts';
import { spanishMeasurements } from './measurements.ts';
import { spanishCrops, spanishNames } from './names.ts';
import { spanishPage, spanishSignIn, spanishThisDevice } from './page.ts';
import { spanishQuestions, spanishWaiting } from './questions.ts';
import { spanishDoubtMail, spanishReasons, spanishSuspectReadings } from './reasons.ts';
import { spanishSearchWords } from './search-words.ts';
import { spanishConnection } from './terminal/connection.ts';
import { spanishInterview } from './terminal/interview.ts';
import { spanishService } from './terminal/service.ts';
import { spanishTime } from './time.ts';
import { spanishQuantities, spanishUsUnits } from './us-units.ts';
import { spanishWords } from './words.ts';

export const spanish: Language = {
  countries: 'ES MX GT SV HN NI CR PA CU DO PR CO VE EC PE BO CL AR UY PY GQ'.split(' '),
  format: spanishFormat,
  time: spanishTime,
  labels: spanishLabels,
  enumLabels: spanishEnumLabels,
  measurements: spanishMeasurements,
  crops: spanishCrops,
  names: spanishNames,
  words: spanishWords,
  usUnits: spanishUsUnits,
  quantities: spanishQuantities,
  joiners: spanishJoiners,
  searchWords: spanishSearchWords,
  questions: spanishQuestions,
  reasons: spanishReasons,
  suspectReadings: spanishSuspectReadings,
  doubtMail: spanishDoubtMail,
  waiting: spanishWaiting,
  importReport: spanishImportReport,
  interview: spanishInterview,
  connection: spanishConnection,
  service: spanishService,
  fileFaults: spanishFileFaults,
  farmReport: spanishFarmReport,
  zoneChange: spanishZoneChange,
  weatherFile: spanishWeatherFile,
  rejections: spanishRejections,
  skippedColumns: spanishSkippedColumns,
  chartLabels: spanishChartLabels,
  pictureLabels: spanishPictureLabels,
  mail: spanishMail,
  page: spanishPage,
  pageChart: spanishPageChart,
  signIn: spanishSignIn,
  thisDevice: spanishThisDevice,
};
