# edge-account: two stages, no root, no build tools in the result. See docs/operations.md.
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm run packages

FROM node:24-slim
WORKDIR /app
COPY --from=build /src/dist/packages/edge-account-[0-9]*.tgz ./edge-account.tgz
# The image has Node.js already: the binaries that npm installs for older versions go.
RUN npm install --omit=dev --no-audit --no-fund ./edge-account.tgz \
  && rm -rf edge-account.tgz node_modules/node-linux-* \
  && npm cache clean --force \
  && mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node_modules/.bin/edge-account"]
CMD ["serve"]
