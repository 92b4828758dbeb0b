# kebab for a team: `docker compose --profile team up -d --build` (docs/team.md).
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci
RUN node scripts/pack-packages.mjs /packages

FROM node:22-bookworm-slim
COPY --from=build /packages /packages
RUN npm install --prefix /app --no-audit --no-fund /packages/kebab-*.tgz && rm -r /packages
RUN mkdir /data && chown node:node /data
USER node
ENV XDG_DATA_HOME=/data/share XDG_CONFIG_HOME=/data/config XDG_STATE_HOME=/data/state XDG_CACHE_HOME=/data/cache KEBAB_SERVE_MODE=off
WORKDIR /data
HEALTHCHECK --interval=10s --timeout=5s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8765/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/node_modules/.bin/kebab"]
CMD ["mcp", "--port", "8765"]
