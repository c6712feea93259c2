/** The first bytes of a PNG in base64. */
export const PNG_START = 'iVBORw0KGgo';

/** The steps of every client on the farm. */
export const stepsFor = (watering) => ({
  call: { name: 'log_watering', arguments: watering },
  picture: { name: 'chart_moisture', arguments: { module: 'North 1' } },
  resource: { uri: 'acequia://company' },
  prompt: { name: 'log_watering', arguments: { module: 'North 1' } },
});

const named = (wanted) => (names) =>
  names.find((name) => new RegExp(`(^|[^a-z])${wanted}$`).test(name));
const reader = (names) => names.find((name) => /^read_?mcp_?resource(tool)?$/i.test(name));
/** Some tools are loaded from the start, and the others once they were searched for. */
const search = (names) =>
  named('chart_moisture')(names) ? undefined : names.find((name) => name === 'ToolSearch');

/** The same steps as calls of a model, by the names that the client gave the tools. */
export const scriptFor = ({ call, picture, resource }) => [
  {
    tool: search,
    args: {
      query: 'select:mcp__acequia__log_watering,mcp__acequia__chart_moisture,ReadMcpResourceTool',
      max_results: 5,
    },
  },
  { tool: named('log_watering'), args: call.arguments },
  { tool: named('chart_moisture'), args: picture.arguments },
  { tool: reader, args: { server: 'acequia', uri: resource.uri } },
];
