# A release names the image by its digest: --build-arg RELEASE=1 --build-arg NODE_IMAGE=node:22-bookworm-slim@sha256:...
ARG NODE_IMAGE=node:22-bookworm-slim

# What is compiled, with the tools for it.
FROM ${NODE_IMAGE} AS build
ARG NODE_IMAGE
ARG RELEASE=
RUN case "${RELEASE:+release}$NODE_IMAGE" in \
  release*@sha256:*) ;; \
  release*) echo "NODE_IMAGE of a release must have a digest" >&2; exit 1 ;; \
  esac
WORKDIR /app
COPY package.json package-lock.json ./
COPY generated/package.json generated/
COPY generator/package.json generator/
COPY generator/create-duet/package.json generator/create-duet/
COPY runtime/package.json runtime/
COPY service/package.json service/
COPY templates/package.json templates/
# No package's own scripts are run: only the tests need any.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

# What runs: the service, its packages and nothing else.
FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json ./
COPY generated/package.json generated/
COPY generator/package.json generator/
COPY generator/create-duet/package.json generator/create-duet/
COPY runtime/package.json runtime/
COPY service/package.json service/
COPY templates/package.json templates/
RUN npm ci --omit=dev --ignore-scripts --workspace @billing/service --workspace @billing/api --workspace duet-runtime \
  --workspace duet-templates \
  && npm cache clean --force \
  && mkdir /data && chown node:node /data
# The manifests in it say which versions there are.
COPY generated generated
COPY --from=build /app/runtime/dist runtime/dist
COPY --from=build /app/generated/dist generated/dist
COPY --from=build /app/service/dist service/dist
COPY service/storage/migrations service/storage/migrations
COPY service/usage/*.json service/usage/
# Pages of the administration area.
COPY templates templates
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "service/dist/server/main.js"]
