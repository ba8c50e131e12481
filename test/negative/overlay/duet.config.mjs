export default { package: 'shop-api', overlays: ['parts/fix.yaml'] }
