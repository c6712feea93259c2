# Serves REST and MCP from a container: docs/deploy.md says how it is run.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY scripts scripts
COPY src src
COPY tools tools
COPY demo demo
COPY plugin plugin
COPY docs/icon.svg docs/icon-48.png docs/
COPY presets presets
# What was built loads two packages from outside; the rest of what was installed stays behind.
RUN node scripts/build.mjs && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    ACEQUIA_DB=/var/lib/acequia/acequia.db
WORKDIR /opt/acequia
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY package.json LICENSE ./
RUN mkdir /var/lib/acequia && chown node:node /var/lib/acequia
USER node
VOLUME /var/lib/acequia
EXPOSE 8383
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:8383/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/acequia/dist/acequia.js"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8383"]
