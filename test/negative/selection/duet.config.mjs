export default { package: 'shop-api', include: { tags: ['Orders'] }, exclude: { paths: ['/admin/*'] } }
